"""What a secret looks like: the table behind `core.redact`.

A row's needles are literal texts of which at least one stands in every text that its expression can
match, so that most rows cost one substring search. Expressions must run in linear time: what may be
long is either greedy up to a character that can't be in it, or bounded; a name's beginning is never
looked for with a repetition. The examples are tests, and are put together from pieces so that this
file itself holds nothing that a scanner for leaked keys would report.
"""

from __future__ import annotations


class SecretPattern:
    """One kind of secret. A group named `secret` is what gets hidden; without it, all that matches."""

    __slots__ = ("expression", "harmless", "name", "needles", "secret")

    def __init__(
        self, name: str, needles: tuple[str, ...], expression: str, *, secret: str, harmless: str
    ) -> None:
        self.name = name
        self.needles = needles
        self.expression = expression
        self.secret = secret
        """A text that must be redacted."""
        self.harmless = harmless
        """A text that looks similar and must stay."""


# Not in the middle of a word: `risk-based` is no `sk-` key.
_START = r"(?<![A-Za-z0-9])"

# What stands in examples and templates in a secret's place, or calls for it from elsewhere.
_NOT_A_PLACEHOLDER = (
    r"(?![<\[{]|\$[A-Za-z_({]|%[A-Za-z_({]|\*\*|[./~]*/|https?:|"
    r"(?i:your|my|the|some|example|change.?me|placeholder|redacted|dummy|xxx|todo|insert|"
    r"process\.env|os\.|env\.|import\.|secrets?\.|vault:|op://|"
    r"(?:true|false|null|nil|none|undefined|required|optional|password|passwd|pass|secret|token)"
    r"(?![A-Za-z0-9]))"
    r"|[^\s\"'`]{0,200}(?:\.\.\.|…|xxxx|XXXX))"
)

_SECRET_NAME = (
    r"(?:password|passwd|passphrase|[_-]pwd|secret|token|"
    r"(?:api|access|secret|private|signing|encryption|auth|account|master)[_-]?key)"
)
_SECRET_NAME_NEEDLES = (
    *("assword", "ASSWORD", "asswd", "ASSWD", "assphrase", "ASSPHRASE", "_pwd", "_PWD", "-pwd"),
    *("ecret", "ECRET", "oken", "OKEN", "key", "KEY", "Key"),
)

_HEX64 = "0123456789abcdef" * 4
_RANDOM = "q7Zt0XbW4uKe9RnLs2VhYc6MdPg1JfAo8TiEyB5wDxQk3UvN"

SECRET_PATTERNS = (
    SecretPattern(
        "private key",
        ("PRIVATE KEY",),
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
        ("uthorization", "UTHORIZATION"),
        r"(?i:authorization)[\"']?\s{0,4}[:=,]\s{0,4}[\"'`]?"
        r"(?i:bearer|basic|token|digest|negotiate|apikey)\s{1,4}"
        r"(?=[^\s\"'`]*[0-9=]|[^\s\"'`]*[a-z][A-Z])(?P<secret>[A-Za-z0-9._~+/=-]{8,})",
        secret="curl -H 'Authorization: Basic dXNlcjpodW50ZXIy" + "MTIzNDU2'",
        harmless='headers = {"Authorization": f"Bearer {token}"}  # or Bearer YOUR_TOKEN_HERE',
    ),
    SecretPattern(
        "bearer token",
        ("earer ", "EARER "),
        r"(?i:bearer) (?=[^\s\"'`]*[0-9])(?P<secret>[A-Za-z0-9._~+/=-]{20,})",
        secret="I called it with Bearer " + _RANDOM,
        harmless="the bearer of-this-very-long-hyphenated-word is Bearer <your-token>",
    ),
    SecretPattern(
        "Anthropic key",
        ("sk-ant-",),
        _START + r"sk-ant-[A-Za-z0-9_-]{20,}",
        secret="sk-ant-" + "api03-" + _RANDOM + "-AA",
        harmless="ANTHROPIC_API_KEY=sk-ant-...",
    ),
    SecretPattern(
        "API key",  # OpenAI's form, taken over by OpenRouter, DeepSeek, LiteLLM, Moonshot …
        ("sk-",),
        _START
        + r"sk-(?:(?:proj|svcacct|admin|None|or-v1|lf)-[A-Za-z0-9_-]{20,}"
        + r"|(?=[A-Za-z]{0,60}[0-9])[A-Za-z0-9]{20,}[A-Za-z0-9_-]*)",
        secret="sk-" + "proj-" + _RANDOM,
        harmless="a risk-based1234567890123456789 plan, sk-fading-circle-animation-12 in CSS",
    ),
    SecretPattern(
        "GitHub token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        _START + r"(?:gh[pousr]_[A-Za-z0-9]{36,}[A-Za-z0-9._-]*|github_pat_[A-Za-z0-9_]{22,})",
        secret="ghp_" + _RANDOM[:36],
        harmless="ghp_xxx is a classic token, github_pat_ a fine-grained one",
    ),
    SecretPattern(
        "GitLab token",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "gloas-", "glsoat-"),
        _START + r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|oas|soat)-[A-Za-z0-9_-]{20,}[A-Za-z0-9._-]*",
        secret="glpat-" + _RANDOM[:20],
        harmless="glpat-<your token>",
    ),
    SecretPattern(
        "AWS key id",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        _START + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])",
        secret="AKIA" + "Z7WQ2MPLK4TRX6VN",
        harmless="ASIANANDEUROPEANMARKETS",
    ),
    SecretPattern(
        "Google API key",
        ("AIza",),
        _START + r"AIza[A-Za-z0-9_-]{35}",
        secret="AIza" + "Sy" + _RANDOM[:33],
        harmless="keys begin with AIzaSy",
    ),
    SecretPattern(
        "Google OAuth secret",
        ("GOCSPX-", "ya29.", "1//0"),
        _START + r"(?:GOCSPX-[A-Za-z0-9_-]{28}|(?:ya29\.|1//0)[A-Za-z0-9_-]{40,}[A-Za-z0-9._-]*)",
        secret="GOCSPX-" + _RANDOM[:28],
        harmless="1//0 is a division by zero, ya29. a prefix",
    ),
    SecretPattern(
        "Azure key",
        ("AccountKey=", "SharedAccessKey=", "sig=", "Q~"),
        r"(?:AccountKey=|SharedAccessKey=)(?P<secret>[A-Za-z0-9+/]{40,}={0,2})"
        r"|[?&]sig=(?P<secret2>[A-Za-z0-9%+/]{40,}={0,2})"
        r"|(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
        secret="DefaultEndpointsProtocol=https;AccountName=a;AccountKey=" + _RANDOM * 2 + "==",
        harmless="AccountKey=<key>;EndpointSuffix=core.windows.net and ?sig=none",
    ),
    SecretPattern(
        "Slack token",
        ("xox", "xapp-"),
        _START + r"(?:xox[a-z](?:\.xox[a-z])?-|xapp-)[0-9][A-Za-z0-9-]{15,}",
        secret="xox" + "b-123456789012-1234567890123-" + _RANDOM[:24],
        harmless="xoxb-your-token",
    ),
    SecretPattern(
        "webhook",
        ("hooks.slack.com/", "/api/webhooks/"),
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)"
        r"|discord(?:app)?\.com/api/webhooks)/(?P<secret>[A-Za-z0-9_]{6,}/[A-Za-z0-9_/-]{20,})",
        secret="https://hooks.slack.com/services/" + "T0000AAAA/B0000BBBB/" + _RANDOM[:24],
        harmless="POST to https://discord.com/api/webhooks/{id}/{token}",
    ),
    SecretPattern(
        "Discord token",
        ("iscord", "ISCORD"),
        r"(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
        secret="my discord bot: " + "MTA1NjQ4NzA4NTYyMjc2NTYx" + ".GxYz12." + _RANDOM[:38],
        harmless="the discord bot lives in Module.client.something",
    ),
    SecretPattern(
        "Telegram token",
        (":AA",),
        r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{33}",
        secret="1234567890" + ":AA" + _RANDOM[:33],
        harmless="at 12345678:AAB",
    ),
    SecretPattern(
        "Stripe key",
        ("k_live_", "k_test_", "whsec_"),
        _START + r"(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9+/]{16,}=*",
        secret="sk_" + "live_" + _RANDOM[:24],
        harmless="pk_live_1234567890abcdefgh is public; disk_test_runs_in_parallel_always",
    ),
    SecretPattern(
        "npm token",
        ("npm_",),
        _START + r"npm_[A-Za-z0-9]{36,}",
        secret="npm_" + _RANDOM[:36],
        harmless="npm_config_registry, npm_package_version",
    ),
    SecretPattern(
        "PyPI token",
        ("pypi-Ag",),
        _START + r"pypi-Ag[A-Za-z0-9_-]{50,}",
        secret="pypi-Ag" + "EIcHlwaS5vcmc" + _RANDOM,
        harmless="a pypi-Agnostic index",
    ),
    SecretPattern(
        "Hugging Face token",
        ("hf_", "api_org_"),
        _START + r"(?:hf_|api_org_)[A-Za-z0-9]{30,}",
        secret="hf_" + _RANDOM[:34],
        harmless="hf_hub_download(repo_id)",
    ),
    SecretPattern(
        "SendGrid key",
        ("SG.",),
        _START + r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}",
        secret="SG" + "." + _RANDOM[:22] + "." + _RANDOM[:43],
        harmless="the class SG.Network.Client",
    ),
    SecretPattern(
        "Twilio key",
        ("SK",),
        _START + r"SK[0-9a-f]{32}(?![A-Za-z0-9])",
        secret="SK" + _HEX64[:32],
        harmless="SKU 1234, SKIPPED",
    ),
    SecretPattern(
        "DigitalOcean token",
        ("_v1_",),
        _START + r"do[opr]_v1_[a-f0-9]{64}",
        secret="dop" + "_v1_" + _HEX64,
        harmless="dop_v1_token",
    ),
    SecretPattern(
        "token",  # services whose tokens begin with a name of their own and go on at random
        (
            *("shpat_", "shpss_", "shpca_", "shppa_", "dapi", "gsk_", "xai-", "pplx-", "r8_"),
            *("lin_api_", "ntn_", "figd_", "sntrys_", "sntryu_", "PMAK-", "dckr_pat_", "ATATT3"),
            *("hvs.", "sbp_", "sb_secret_", "rubygems_", "NRAK-", "glsa_", "pscale_", "AGE-SECRET"),
        ),
        _START
        + r"(?:shp(?:at|ss|ca|pa)_|dapi|gsk_|xai-|pplx-|r8_|lin_api_|ntn_|figd_|sntry[su]_|PMAK-"
        + r"|dckr_pat_|ATATT3|hvs\.|sbp_|sb_secret_|rubygems_|NRAK-|glsa_|pscale_(?:tkn|pw|oauth)_"
        + r"|AGE-SECRET-KEY-1)(?=[A-Za-z_+/-]{0,40}[0-9])[A-Za-z0-9_+/-]{24,}[A-Za-z0-9_.+/=-]*",
        secret="gsk_" + _RANDOM,
        harmless="gsk_something_in_snake_case_here, xai-grok-beta",
    ),
    SecretPattern(
        "JWT",
        (".eyJ",),
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)*",
        secret="eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0." + _RANDOM[:43],
        harmless="a JWT is eyJ….eyJ….signature",
    ),
    SecretPattern(
        "password in a URL",
        ("://",),
        r"://[^\s/:@\"'<>`]{0,256}:(?![0-9]{1,5}[?#])"
        + _NOT_A_PLACEHOLDER
        + r"(?P<secret>[^\s/\"'<>`\[\]{}]{1,256})@(?=[A-Za-z0-9\[$<{])",
        secret="postgres://app:" + "p@ssw0rd" + "@db.example.com:5432/app",
        harmless="postgres://app:${DB_PASSWORD}@db:5432 and http://localhost:8080/@vite/client",
    ),
    SecretPattern(
        "connection string",
        (";P", ";p", "; P", "; p"),
        r"; ?(?i:password|pwd)\s?=\s?" + _NOT_A_PLACEHOLDER + r"(?P<secret>[^;\s\"'`]{3,})",
        secret="Server=db;User Id=sa;Password=" + "Tr0ub4dor&3;Encrypt=yes",
        harmless="Server=db;User Id=sa;Password=<password>;",
    ),
    SecretPattern(
        "secret in a setting",  # .env, docker -e, exported in a shell
        tuple(needle for needle in _SECRET_NAME_NEEDLES if needle.isupper()),
        r"(?:PASSWORD|PASSWD|PASSPHRASE|_PWD|SECRET|TOKEN|"
        r"(?:API|ACCESS|SECRET|PRIVATE|SIGNING|ENCRYPTION|AUTH|ACCOUNT|MASTER)_?KEY)"
        r"(?:_?[0-9]{1,2})?=[\"'`]?"
        + _NOT_A_PLACEHOLDER
        + r"(?P<secret>[^\s\"'`,;()\[\]{}<>]{4,}+)(?![(\[{])",
        secret='export DB_PASSWORD="' + 'correct-horse"',
        harmless="API_KEY=os.environ['KEY'] TOKEN=$(pass show x) MAX_TOKENS=4096 PASSWORD=<yours>",
    ),
    SecretPattern(
        "secret in quotes",  # JSON, YAML, source text
        _SECRET_NAME_NEEDLES,
        r"(?i:" + _SECRET_NAME + r")\\?[\"'`]?\]?\s{0,4}(?::\s{0,4}[A-Za-z]{1,20}\s{0,4})?"
        r"(?:=>|:=|[:=,])\s{0,4}\\?[\"'`]"
        + _NOT_A_PLACEHOLDER
        + r"(?=[A-Za-z_-]{0,100}[0-9!@#$%^&*+/=~])(?P<secret>[^\s\"'`<>(){}\[\]\\]{6,})\\?[\"'`]",
        secret='{"api_key": "' + _RANDOM + '"}',
        harmless='token = "access-token"; "password": "Password"; token = get_token("user42")',
    ),
    SecretPattern(
        "secret in a file",  # YAML and INI: a line of its own
        _SECRET_NAME_NEEDLES,
        r"(?i:"
        + _SECRET_NAME
        + r")[\"']?(?::\s{1,4}|\s{0,4}=\s{0,4})"
        + _NOT_A_PLACEHOLDER
        + r"(?=[A-Za-z_-]{0,100}[0-9!@#$%^&*+/=~])(?=[^\s]{0,100}[A-Za-z!@#$%^&*])"
        r"(?P<secret>[^\s\"'`<>(){}\[\],;\\]{6,}+)(?=[ \t]*(?:\r?\n|#|$))(?!\n\n)",
        secret="postgres:\n  password: " + "hunter2hunter2\n",
        harmless="password: ask Bob\ntoken: string\nmax_token: 4096\ntoken = next(tokens)\n",
    ),
    SecretPattern(
        "secret in a command",  # query strings and options
        _SECRET_NAME_NEEDLES,
        r"(?i:(?:(?:[?&;]|--)[a-z_-]{0,40}?)"
        + _SECRET_NAME
        + r")(?:=| )[\"'`]?"
        + _NOT_A_PLACEHOLDER
        + r"(?=[A-Za-z_-]{0,100}[0-9!@#$%^&*+/=~])(?P<secret>[^\s\"'`<>(){}\[\],;&]{6,}+)(?![(\[{])",
        secret="mysqladmin --password=" + "hunter2hunter2 status",
        harmless="login --password-stdin, ?token=abc, --token $TOKEN, --api-key sk-...",
    ),
)
