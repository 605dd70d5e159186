"""Words that tell what kind of turn this is, in the languages that Claude Code is mostly used in.

Decisions announce themselves ("let's go with", "statt", "改用"), and so do greetings, which are
worth no call. A language that is missing here loses a little quality, nothing else.
"""

from __future__ import annotations

import re

_DECISION_CUES = (
    # English
    "decided", "decision", "let's go with", "let's use", "let's keep", "let's switch", "we'll use",
    "we will use", "we'll keep", "go with", "going with", "instead of", "rather than", "agreed",
    "settled on", "switch to", "switched to", "chose ", "chosen", "root cause", "turned out",
    "the fix is", "the fix was", "replaced ", "from now on",
    # German, Dutch
    "entschieden", "entscheidung", "wir nehmen", "stattdessen", " statt ", "umgestellt auf",
    "ursache war", "besloten", "in plaats van",
    # French, Spanish, Portuguese, Italian
    "décid", "on va utiliser", "au lieu de", "plutôt que", "decidi", "vamos a usar", "en lugar de",
    "en vez de", "vamos usar", "em vez de", "invece di", "abbiamo deciso",
    # Russian, Ukrainian, Polish, Turkish
    "решили", "решено", "будем использовать", "вместо", "вирішили", "замість", "zdecydowa",
    "zamiast", "karar verdi",
    # Chinese, Japanese, Korean
    "决定", "決定", "改用", "采用", "採用", "选择了", "而不是", "改成", "に決め", "にします",
    "に変更", "代わりに", "하기로", "결정", "대신",
)  # fmt: skip
_ASCII_CUES = tuple(cue for cue in _DECISION_CUES if cue.isascii())
_WHERE_DECISIONS_ARE_TOLD = 500  # characters at a turn's beginning and at its end

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_GREETINGS = (
    "hi hello hey yo there claude good morning afternoon evening day night thanks thank you thx ty "
    "ok okay cool great nice bye goodbye test testing ping please are how is it up what's whats "
    "hallo guten tag morgen abend moin servus danke dank tschüss "
    "bonjour salut bonsoir coucou merci au revoir hola buenos buenas días dias tardes noches "
    "gracias adiós olá ola bom boa dia tarde noite obrigado obrigada ciao salve buongiorno grazie "
    "привет здравствуйте здравствуй добрый день утро вечер спасибо пока привіт дякую "
    "cześć dzień dobry dziękuję merhaba selam teşekkürler hej hoi "
    "你好 您好 嗨 在吗 早上好 晚上好 谢谢 測試 测试 こんにちは おはよう こんばんは ありがとう "
    "안녕 안녕하세요 감사합니다 xin chào नमस्ते مرحبا السلام عليكم שלום"
)
_GREETING_WORDS = frozenset(_GREETINGS.split())
_COMMANDS = (
    "/clear /compact /config /context /cost /doctor /exit /fast /help /ide /init /login /logout "
    "/mcp /memory /model /permissions /plugin /quit /rename /resume /status /theme /usage /vim "
    "/save-recall /search-chats"
)
_HOUSEKEEPING = frozenset(_COMMANDS.split())
_GREETING_MOST = 60  # characters; whatever is longer has something to say


def tells_decision(text: str) -> bool:
    """Whether something seems to be decided or found out here."""
    reach = _WHERE_DECISIONS_ARE_TOLD
    if len(text) > 2 * reach:
        text = f"{text[:reach]} {text[-reach:]}"
    text = text.lower().replace("’", "'")
    return any(cue in text for cue in (_ASCII_CUES if text.isascii() else _DECISION_CUES))


def is_small_talk(text: str) -> bool:
    """Whether a person's turn is a greeting, a thank-you or a command about Claude Code itself."""
    stripped = text.strip()
    if len(stripped) > _GREETING_MOST:
        return False
    if stripped.startswith("/"):
        return stripped.split()[0] in _HOUSEKEEPING
    return all(word in _GREETING_WORDS for word in _WORD.findall(stripped.lower()))
