"""Words that carry no content of their own: articles, pronouns, prepositions, auxiliaries and the plainest verbs."""

FUNCTION_WORDS = frozenset(
    """
    about above after again all also although always an and any anything are as at be because been before being
    below between both but by can cannot could did do does doing done down each either else even ever every few for
    from further get gets give given gives had has have having he her here his how however if in instead into is it
    its itself just kept keep let like made make makes many may might more most much must need neither never no nor
    not nothing of off on once one only onto or other otherwise our out over own per rather same shall she should
    since so some such take taken than that the their them then there therefore these they this those though through
    thus to too under until unless up upon use used uses using very via was we were what when where whether which
    while who whom whose why will with within without would yet you your
    """.split()
)
