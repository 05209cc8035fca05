"""Where a project's files are: the folder layout, said once."""

from dataclasses import dataclass
from pathlib import Path

from foregone.settings import Settings, load_settings
from foregone.thresholds import Thresholds, load_thresholds

SETTINGS = "foregone.yaml"
TEMPLATES = "site_templates"


@dataclass(frozen=True, slots=True)
class Project:
    """A project folder, its settings and thresholds read."""

    root: Path
    settings: Settings
    thresholds: Thresholds

    @property
    def settings_file(self) -> Path:
        """The settings."""
        return self.root / SETTINGS

    @property
    def manifest(self) -> Path:
        """The corpus manifest."""
        return self.root / "corpus" / "manifest.yaml"

    @property
    def index_root(self) -> Path:
        """The folder of committed indexes, one by version."""
        return self.root / "corpus" / "index"

    @property
    def questions(self) -> Path:
        """The question set."""
        return self.root / "eval" / "questions.yaml"

    @property
    def drafts(self) -> Path:
        """The folder of recorded drafts."""
        return self.root / "eval" / "drafts"

    @property
    def vectors(self) -> Path:
        """The folder of question vectors."""
        return self.root / "eval" / "vectors"

    @property
    def results(self) -> Path:
        """The folder of committed results files."""
        return self.root / "eval" / "results"

    @property
    def baseline(self) -> Path:
        """The last accepted results."""
        return self.root / "eval" / "baseline.json"

    @property
    def templates(self) -> Path:
        """The project's own templates, else those of the installed package, else of the source tree."""
        package = Path(__file__).parent
        folders = (self.root, package, package.parent.parent)
        return next((folder / TEMPLATES for folder in folders if (folder / TEMPLATES).is_dir()), self.root / TEMPLATES)

    @property
    def dist(self) -> Path:
        """The generated site."""
        return self.root / "dist"

    @property
    def work(self) -> Path:
        """Exported prompts and build records."""
        return self.root / ".foregone"

    @property
    def prompts(self) -> Path:
        """Where prompts are exported to, unless another folder is named."""
        return self.work / "prompts"


def load_project(root: Path) -> Project:
    """The project in `root`; Refused where its settings or thresholds are not well formed."""
    return Project(root, load_settings(root / SETTINGS), load_thresholds(root / "eval" / "thresholds.yaml"))
