"""Words that say nothing about what a session was about; a query does without them.

In a database of mostly English sessions the small words of another language are rare, so BM25 would
give them much weight. Those that mean something in code are no such words: "ci", "com", "du", "io",
"man", "os", "war".
"""

from __future__ import annotations

import re

ENGLISH = (
    "a about above after again against all also am an and any are as at be because been before "
    "being below between both but by can could did do does doing down during each few for from "
    "further had has have having he her here hers herself him himself his how i if in into is it "
    "its itself just me more most my myself no nor not now of off on once only or other our ours "
    "ourselves out over own same she should so some such than that the their theirs them "
    "themselves then there these they this those through to too under until up very was we were "
    "what when where which while who whom whose why will with would you your yours yourself "
    "yourselves s t d ll re ve m don doesn didn isn aren wasn weren hasn haven hadn won wouldn "
    "couldn shouldn"
)
_GERMAN = (
    "aber als am auch auf aus bei bin bis da dann das dass dem den der des die dies diese diesem "
    "diesen dieser dieses doch durch ein eine einem einen einer eines er es für habe haben "
    "hatte hatten ich ihr ihre im ist ja kann kein keine können mehr mein mit nach nicht noch nur "
    "ob oder ohne schon sein seine sich sie sind um und uns unser unsere unter vom von vor waren "
    "warum wegen weil welche welcher welches wenn wer wie wieder wird wir wo wollte wurde wurden "
    "zu zum zur über"
)
_FRENCH = (
    "au aux avec avons avait ce ces cet cette comment dans de des elle en est et était être eu "
    "fait il ils je la le les leur lui mais même ne nos notre nous on ont ou où par pas plus pour "
    "pourquoi quand que quel quelle qui sa sans se ses si son sont sur tu un une vos votre vous "
    "y à été c j l n qu"
)
_SPANISH_PORTUGUESE_ITALIAN = (
    "al como cómo con cual cuando cuándo del donde dónde el ella en era es esa ese esta este esto "
    "fue ha hay la las le les lo los más mi muy ni nos o para pero por porque que qué quién se "
    "ser si sin sobre sus también tiene un una unos y ya "
    "ao da das do dos ele em foi isso mas meu na nas no nos não ou pela pelo quando são "
    "sua também um uma à é "
    "che chi cosa dal dalla della delle di gli il mi nel nella non perché per quale quando "
    "quello questa questo sono suo è"
)
_RUSSIAN = (
    "а без бы был была были было в вам вас во вот все вы где да для до его ее если есть еще ещё "
    "же за и из или им их к как когда кто ли мне мы на нам нас наш не него нет ни но о об он она "
    "они от по под почему при с со так там то тоже только ты у уже чего чем что чтобы эта эти это "
    "этот я"
)
_VIETNAMESE = (
    "bị cho các có của do được khi là làm mà một này những sao thì tại và vì với để đã đó ở"
)
# Pairs of characters, as the index holds them.
_CHINESE = "一个 什么 为什 么会 怎么 如何 我们 这个 那个 可以 没有 是什 的是 是不 了吗 哪个"
_KOREAN = "나요 니다 습니 는데 가요 까요 었나 었던 했나 했던 어떻 떻게 인가 있는 하는"

_STOP_WORDS = frozenset(
    " ".join(
        (
            *(ENGLISH, _GERMAN, _FRENCH, _SPANISH_PORTUGUESE_ITALIAN, _RUSSIAN, _VIETNAMESE),
            *(_CHINESE, _KOREAN),
        )
    ).split()
)
# Japanese writes its grammar in hiragana, and mostly nothing else.
_HIRAGANA = re.compile(r"[\u3041-\u309f]{1,2}")


def is_stop_word(token: str) -> bool:
    """Whether a token, in lower case, says nothing by itself."""
    return token in _STOP_WORDS or _HIRAGANA.fullmatch(token) is not None
