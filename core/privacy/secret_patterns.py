"""What a secret looks like: the table behind `core.privacy.redact`.

A row's needles are literal texts, in lower case, of which at least one stands in every text that
its expression can match: looking for them is faster by far, and spares compiling the expression.
Expressions take linear time: what may be long is greedy up to a character that can't be in it, all
else is bounded. They begin with a literal where they can, since `re` skips to it quickly, and look
at what stands before it afterwards (see `_prefix`).

The examples are tests. They are put together from pieces so that this file itself holds nothing
that a scanner for leaked keys would report.
"""

from __future__ import annotations


class SecretPattern:
    """One kind of secret. A group named `secret` is what is hidden; without it, the whole match."""

    __slots__ = ("expression", "harmless", "joint", "name", "needles", "secret")

    def __init__(
        self,
        name: str,
        needles: tuple[str, ...],
        expression: str,
        *,
        secret: str,
        harmless: str,
        joint: str = "",
    ) -> None:
        self.name = name
        self.needles = needles
        self.expression = expression
        self.secret = secret
        """A text that must be redacted."""
        self.harmless = harmless
        """A text that looks similar and must stay."""
        self.joint = joint
        """A key of `JOINTS`; a text without such a joint can't hold the secret."""


# Most tokens are a name, a joint and a long random tail: one search for the joint with a tail
# spares the search for each name.
JOINTS = {
    "_": r"_[A-Za-z0-9]{16}",
    "-": r"-[A-Za-z0-9_-]{16}",
    ".": r"\.[A-Za-z0-9_-]{16}",
    "/": r"/[A-Za-z0-9_-]{16}",
    "=": r"=[A-Za-z0-9%+/]{40}",
    "@": r"@[A-Za-z0-9\[$<{]",
}


def _prefix(*names: str) -> str:
    """One of these literals, not within a word: `risk-based` is no `sk-` key."""
    return "(?:" + "|".join(rf"{name}(?<![A-Za-z0-9]{name})" for name in names) + ")"


# What stands in a secret's place in examples and templates, or fetches it from elsewhere.
_NO_PLACEHOLDER = (
    r"(?![<\[{]|\$[A-Za-z_({]|%[A-Za-z_({]|\*\*|[.~]{0,2}/|#[0-9A-Fa-f]{3,8}\b|"
    r"(?i:https?:|your|my|the|some|example|change.?me|placeholder|dummy|insert|todo|xxx|"
    r"(?:os|env|self|args|config|settings|options|secrets?|process\.env|import\.meta)\.|"
    r"vault:|op://|(?:true|false|null|nil|none|undefined|required|optional|"
    r"password|passwd|pass|secret|token|string|str)(?![A-Za-z0-9]))"
    r"|[^\s\"'`]{0,80}(?:\.\.\.|…|xxxx|XXXX))"
)
# In source text and prose, words alone are labels and names, numbers alone are counts.
_NO_WORD = r"(?=[A-Za-z_/-]{0,100}[0-9!@#$%^&*+=~])"
_NO_NUMBER = r"(?=[^\s\"'`]{0,100}[A-Za-z!@#$%^&*])"

_KINDS_OF_KEY = ("api", "access", "secret", "private", "signing", "encryption", "auth", "master")
# The end of what a key that is secret is called, up to its `k`.
_KEY = "|".join(rf"(?<=(?i:{kind}[_-]k))|(?<=(?i:{kind}k))" for kind in _KINDS_OF_KEY)
# What a secret is called, in three spellings. Each begins with its rarest letter, since `re` skips
# from one such letter to the next, and looks back from there.
_SECRET_NAME = (
    r"(?:k(?<=[Tt]ok)en|K(?<=TOK)EN|c(?<=[Ss]ec)ret|C(?<=SEC)RET|w(?<=[Pp]assw)(?:or)?[dt]"
    r"|W(?<=PASSW)(?:OR)?D|h(?<=[Pp]assph)rase|H(?<=PASSPH)RASE"
    # The shell's PWD is no password, and not every key is secret.
    rf"|w(?<=[_;\s-][Pp]w)d|W(?<=[_;\s-]PW)D|k(?:{_KEY})ey|K(?:{_KEY})(?:ey|EY))"
)

_NAMES_OF_TOKENS = (
    "shpat_", "shpss_", "shpca_", "shppa_", "gsk_", "r8_", "lin_api_", "ntn_", "sntrys_", "sntryu_",
    "sbp_", "sb_secret_", "rubygems_", "glsa_", "figd_", "lsv2_pt_", "lsv2_sk_", "pscale_tkn_",
    "pscale_pw_", "phx_", "bkua_", "apify_api_", "CCIPAT_", "fm2_", "ops_",
)  # fmt: skip
"""Of services whose tokens begin with a name of their own, a `_` and something random."""

_HEX = "0123456789abcdef"
_RANDOM = "q7Zt0XbW4uKe9RnLs2VhYc6MdPg1JfAo8TiEyB5wDxQk3UvN"

SECRET_PATTERNS = (
    SecretPattern(
        "private key",
        ("private key",),
        r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        # Whole, or cut off somewhere: lines of Base64 (with `\n` spelt out in JSON).
        r"(?:(?:[^-]|-(?!----)){40,}-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
        r"|(?:(?:\s|\\[nr]|[\"'+,])*+[A-Za-z0-9+/=]{30,}+)++)",
        secret="-----BEGIN RSA PRIVATE" + " KEY-----\nMIIEpAIBAAKCAQEA" + _RANDOM + "\n" + _RANDOM,
        harmless="It starts with `-----BEGIN PRIVATE KEY-----` and ends with "
        "`-----END PRIVATE KEY-----`.",
    ),
    SecretPattern(
        "authorization header",
        ("authorization",),
        r"(?:uthorization|UTHORIZATION)[\"']?\s{0,4}[:=,]\s{0,4}[\"'`]?"
        r"(?i:bearer|basic|token|digest|negotiate|apikey)\s{1,4}"
        r"(?=[^\s\"'`]{0,200}[0-9=]|[^\s\"'`]{0,200}[a-z][A-Z])"
        r"(?P<secret>[A-Za-z0-9._~+/=-]{8,})",
        secret="curl -H 'Authorization: Basic dXNlcjpodW50ZXIy" + "MTIzNDU2'",
        harmless='headers = {"Authorization": f"Bearer {token}"}  # or Bearer YOUR_TOKEN_HERE',
    ),
    SecretPattern(
        "bearer token",
        ("bearer ",),
        r"(?:earer|EARER) (?=[^\s\"'`]{0,200}[0-9])(?P<secret>[A-Za-z0-9._~+/=-]{20,})",
        secret="I called it with Bearer " + _RANDOM,
        harmless="the bearer of-this-very-long-hyphenated-word is Bearer <your-token>",
    ),
    SecretPattern(
        "Anthropic key",
        ("sk-ant-",),
        _prefix("sk-ant-") + r"[A-Za-z0-9_-]{20,}",
        secret="sk-ant-" + "api03-" + _RANDOM + "-AA",
        harmless="ANTHROPIC_API_KEY=sk-ant-...",
        joint="-",
    ),
    SecretPattern(
        "API key",  # OpenAI's form, taken over by OpenRouter, DeepSeek, LiteLLM, Langfuse …
        ("sk-",),
        _prefix("sk-") + r"(?:(?:proj|svcacct|admin|None|or-v1|lf)-[A-Za-z0-9_-]{20,}"
        r"|(?=[A-Za-z]{0,60}[0-9])[A-Za-z0-9]{20,}[A-Za-z0-9_-]*)",
        secret="sk-" + "proj-" + _RANDOM,
        harmless="a risk-based1234567890123456789 plan, sk-fading-circle-animation-12 in CSS",
        joint="-",
    ),
    SecretPattern(
        "GitHub token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        _prefix("g") + r"(?:h[pousr]_[A-Za-z0-9]{36,}[A-Za-z0-9._-]*|ithub_pat_[A-Za-z0-9_]{22,})",
        secret="ghp_" + _RANDOM[:36],
        harmless="ghp_xxx is a classic token, github_pat_ a fine-grained one",
        joint="_",
    ),
    SecretPattern(
        "GitLab token",
        ("gl",),
        _prefix("gl") + r"(?:pat|dt|rt|cbt|ptt|ft|imt|oas|soat)-[A-Za-z0-9_-]{20,}[A-Za-z0-9._-]*",
        secret="glpat-" + _RANDOM[:20],
        harmless="glpat-<your token>",
        joint="-",
    ),
    SecretPattern(
        "AWS key id",
        ("akia", "asia"),
        _prefix("AKIA", "ASIA") + r"[A-Z2-7]{16}(?![A-Za-z0-9])",
        secret="AKIA" + "Z7WQ2MPLK4TRX6VN",
        harmless="ASIANANDEUROPEANMARKETS",
    ),
    SecretPattern(
        "Google key",
        ("aiza",),
        _prefix("AIza") + r"[A-Za-z0-9_-]{35,}",
        secret="AIza" + "Sy" + _RANDOM[:33],
        harmless="keys begin with AIzaSy",
    ),
    SecretPattern(
        "Google OAuth secret",
        ("gocspx-",),
        _prefix("GOCSPX-") + r"[A-Za-z0-9_-]{28,}",
        secret="GOCSPX-" + _RANDOM[:28],
        harmless="GOCSPX-<secret>",
        joint="-",
    ),
    SecretPattern(
        "Google OAuth token",
        ("ya29.",),
        _prefix(r"ya29\.") + r"[A-Za-z0-9_-]{40,}[A-Za-z0-9._-]*",
        secret="ya29." + _RANDOM,
        harmless="access tokens begin with ya29.",
        joint=".",
    ),
    SecretPattern(
        "Azure key",
        ("accountkey=", "accesskey="),
        r"(?:AccountKey=|AccessKey=)(?P<secret>[A-Za-z0-9+/]{40,}={0,2})",
        secret="DefaultEndpointsProtocol=https;AccountName=a;AccountKey=" + _RANDOM * 2 + "==",
        harmless="AccountKey=<key>;EndpointSuffix=core.windows.net",
        joint="=",
    ),
    SecretPattern(
        "signature in a URL",  # Azure's, Amazon's and Google's links that open a file for anyone
        ("sig=", "signature="),
        r"(?:sig=(?<=[?&;]sig=)|ignature=)(?P<secret>[A-Za-z0-9%+/]{40,}={0,2})",
        secret="https://a.blob.core.windows.net/c/b?sv=2022-11-02&sr=b&sig=" + _RANDOM + "%3D",
        harmless="?sig=none&design=flat, signature=None",
        joint="=",
    ),
    SecretPattern(
        "Azure client secret",
        ("q~",),
        r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,40}",
        secret="abc8" + "Q~" + _RANDOM[:34],
        harmless="the Q~ of a signal",
    ),
    SecretPattern(
        "Slack token",
        ("xox", "xapp-"),
        _prefix("x") + r"(?:(?:ox[a-z](?:\.xox[a-z])?-|app-)[0-9][A-Za-z0-9-]{15,}"
        r"|oxd-(?=[^0-9\s]{0,60}[0-9])[A-Za-z0-9%+/=_-]{20,})",
        secret="xox" + "b-123456789012-1234567890123-" + _RANDOM[:24],
        harmless="xoxb-your-token",
    ),
    SecretPattern(
        "webhook",
        ("hooks.slack.com/", "/api/webhooks/"),
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)|/api/webhooks)/"
        r"(?P<secret>[A-Za-z0-9_]{6,}/[A-Za-z0-9_/-]{20,})",
        secret="https://hooks.slack.com/services/" + "T0000AAAA/B0000BBBB/" + _RANDOM[:24],
        harmless="POST to https://discord.com/api/webhooks/{id}/{token}",
        joint="/",
    ),
    SecretPattern(
        "Discord token",
        ("discord",),
        r"[MNO](?<![A-Za-z0-9_-].)[A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
        secret="my discord bot: " + "MTA1NjQ4NzA4NTYyMjc2NTYx" + ".GxYz12." + _RANDOM[:38],
        harmless="the discord bot lives in Module.client.something",
        joint=".",
    ),
    SecretPattern(
        "Telegram token",
        (":aa",),
        r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{33,}",
        secret="1234567890" + ":AA" + _RANDOM[:33],
        harmless="at 12345678:AAB",
    ),
    SecretPattern(
        "Stripe key",
        ("k_live_", "k_test_", "whsec_"),
        _prefix("sk_live_", "rk_live_", "sk_test_", "rk_test_", "whsec_")
        + r"[A-Za-z0-9]{16,}[A-Za-z0-9+/]*=*",
        secret="sk_" + "live_" + _RANDOM[:24],
        harmless="pk_live_1234567890abcdefgh is public; disk_test_runs_in_parallel_always",
        joint="_",
    ),
    SecretPattern(
        "npm token",
        ("npm_",),
        _prefix("npm_") + r"[A-Za-z0-9]{36,}",
        secret="npm_" + _RANDOM[:36],
        harmless="npm_config_registry, npm_package_version",
        joint="_",
    ),
    SecretPattern(
        "PyPI token",
        ("pypi-ag",),
        _prefix("pypi-Ag") + r"[A-Za-z0-9_-]{50,}",
        secret="pypi-Ag" + "EIcHlwaS5vcmc" + _RANDOM,
        harmless="a pypi-Agnostic index",
        joint="-",
    ),
    SecretPattern(
        "Hugging Face token",
        ("hf_",),
        _prefix("hf_") + r"[A-Za-z0-9]{30,}",
        secret="hf_" + _RANDOM[:34],
        harmless="hf_hub_download(repo_id)",
        joint="_",
    ),
    SecretPattern(
        "SendGrid key",
        ("sg.",),
        _prefix(r"SG\.") + r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,}",
        secret="SG" + "." + _RANDOM[:22] + "." + _RANDOM[:43],
        harmless="the class SG.Network.Client",
        joint=".",
    ),
    SecretPattern(
        "Twilio key",
        ("sk",),
        _prefix("SK") + r"[0-9a-f]{32}(?![A-Za-z0-9])",
        secret="SK" + _HEX * 2,
        harmless="SKU 1234, SKIPPED",
    ),
    SecretPattern(
        "DigitalOcean token",
        ("_v1_",),
        _prefix("dop_v1_", "doo_v1_", "dor_v1_") + r"[a-f0-9]{64}",
        secret="dop" + "_v1_" + _HEX * 4,
        harmless="dop_v1_token",
        joint="_",
    ),
    SecretPattern(
        "token",  # Shopify, Groq, Linear …
        tuple(name.lower() for name in _NAMES_OF_TOKENS),
        _prefix(*_NAMES_OF_TOKENS) + r"(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{16,}[A-Za-z0-9_.+/=-]*",
        secret="gsk_" + _RANDOM,
        harmless="gsk_something_in_snake_case_here",
        joint="_",
    ),
    SecretPattern(
        "access token",  # Databricks, Atlassian, Docker, Amazon Bedrock
        ("dapi", "atatt3", "atctt3", "dckr_pat_", "absk"),
        _prefix("dapi", "ATATT3", "ATCTT3", "dckr_pat_", "ABSK")
        + r"(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{24,}[A-Za-z0-9_.=-]*",
        secret="dapi" + _HEX * 2,
        harmless="dapi-client, dckr_pat_example",
    ),
    SecretPattern(
        "key",  # xAI, Perplexity, Postman, New Relic, Cerebras, Tavily, age, NVIDIA, Tailscale
        ("xai-", "pplx-", "pmak-", "nrak-", "csk-", "tvly-", "age-secret-key-", "nvapi-", "tskey-"),
        _prefix(
            "xai-",
            "pplx-",
            "PMAK-",
            "NRAK-",
            "csk-",
            "tvly-",
            "AGE-SECRET-KEY-",
            "nvapi-",
            "tskey-",
        )
        + r"(?:(?<=tskey-)[a-z]{2,10}-[A-Za-z0-9]{8,}-|(?<=tvly-)(?:dev|prod)-)?"
        r"[A-Za-z0-9]{24,}[A-Za-z0-9_-]*",
        secret="xai-" + _RANDOM,
        harmless="xai-grok-beta-with-a-long-name-4",
        joint="-",
    ),
    SecretPattern(
        "Vault token",
        ("hvs.", "hvb."),
        _prefix(r"hvs\.", r"hvb\.") + r"[A-Za-z0-9_-]{24,}",
        secret="hvs." + _RANDOM,
        harmless="hvs.example",
        joint=".",
    ),
    SecretPattern(
        "JWT",
        (".eyj",),
        r"eyJ(?<![A-Za-z0-9_-]eyJ)[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)*",
        secret="eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0." + _RANDOM[:43],
        harmless="a JWT is eyJ….eyJ….signature",
        joint=".",
    ),
    SecretPattern(
        "cookie",
        ("cookie:",),
        r"ookie: ?(?=[^\r\n\"'<>{}$]{1,2000}?=[^\s;\"'<>{}$]{12})"
        r"(?P<secret>[^\s=;\"'<>{}$]{1,64}=[^\s;\"'<>{}$]*(?:; ?[^\s;\"'<>{}$]+)*)",
        secret="curl -H 'Cookie: theme=dark; sessionid=" + _RANDOM + "'",
        harmless="Set-Cookie: <name>=<value>; a cookie: small data; Cookie: id=${ID}",
    ),
    SecretPattern(
        "password in a URL",
        ("://",),
        r"://[^\s/:@\"'<>`]{0,256}:(?![0-9]{1,5}[?#])"
        + _NO_PLACEHOLDER
        + r"(?P<secret>[^\s/\"'<>`\[\]{}]{1,256})@(?=[A-Za-z0-9\[$<{])",
        secret="postgres://app:" + "p@ssw0rd" + "@db.example.com:5432/app",
        harmless="postgres://app:${DB_PASSWORD}@db:5432 and http://localhost:8080/@vite/client",
        joint="@",
    ),
    SecretPattern(
        "token in a URL",  # in place of a user: a Git remote, a Sentry DSN
        ("://",),
        r"://(?=[A-Za-z_-]{0,60}[0-9])(?P<secret>[A-Za-z0-9_-]{30,256})@(?=[A-Za-z0-9])",
        secret="git clone https://" + _HEX * 2 + "@github.com/dev/shop",
        harmless="https://medium.com/@someone, ssh://git@github.com/dev/shop",
        joint="@",
    ),
    SecretPattern(
        "password in a command",
        ("curl ",),
        r"curl [^\n]{0,200}?(?<=\s)(?:-u|--user)[ =]?[\"']?[^\s:\"'$]{1,64}:"
        + _NO_PLACEHOLDER
        + r"(?P<secret>[^\s\"']{3,})",
        secret="curl -sS -u admin:" + "hunter2 https://example.com",
        harmless="docker run -u 1000:1000; curl -u $USER:$PASSWORD",
    ),
    SecretPattern(
        "secret in an option",
        ("--",),
        r"--(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase|secret|token|key)[= ][\"']?"
        + _NO_PLACEHOLDER
        + _NO_WORD
        + r"(?P<secret>[^\s\"'`<>(){}\[\],;&/]{6,}+)(?![(\[{/])",
        secret="mysqladmin --password=" + "hunter2hunter2 status",
        harmless="login --password-stdin u42, --token $TOKEN, --api-key sk-..., --key ~/.ssh/id2",
    ),
    SecretPattern(
        "secret",
        ("pass", "pwd", "secret", "token", "key"),
        _SECRET_NAME + r"(?:"
        # In .env files, `docker -e` and exports, any value is one.
        r"(?<=[A-Z])(?:_?[0-9]{1,2})?=[\"'`]?"
        + _NO_PLACEHOLDER
        + r"(?P<setting>[^\s\"'`,;()\[\]{}<>]{4,}+)(?![(\[{])"
        # JSON, YAML, source text: quoted, maybe within a quoted text, maybe behind a type.
        + r"|(?:_?[0-9]{1,2})?(?:\\?[\"'`]\]?)?\s{0,4}(?::\s{0,4}[A-Za-z]{1,20}\s{0,4})?"
        + r"(?:=>|:=|[:=,])\s{0,4}\\?[\"'`]"
        + _NO_PLACEHOLDER
        + _NO_WORD
        + r"(?P<quoted>[^\s\"'`<>(){}\[\]\\]{6,}+)\\?[\"'`]"
        # In a URL within a sentence, or an argument of a command.
        + r"|="
        + _NO_PLACEHOLDER
        + _NO_WORD
        + _NO_NUMBER
        + r"(?P<argument>[^\s\"'`<>(){}\[\],;&\\]{6,}+)(?=\s)"
        # Plain, up to the end of a line, a text or a parameter.
        + r"|[\"']?(?::\s{1,4}|=|\s{1,4}=\s{1,4})"
        + _NO_PLACEHOLDER
        + _NO_WORD
        + _NO_NUMBER
        + r"(?P<plain>[^\s\"'`<>(){}\[\],;&\\]{6,}+)(?=[\"';&\r\n]|\s{1,8}(?:[\n#]|--)|\s{0,8}$))",
        secret='{"api_key": "' + _RANDOM + '"}',
        harmless='token = "access-token"; "password": "Password"; password: ask Bob',
    ),
)
