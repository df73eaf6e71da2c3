"""Python, SQL, shell and spreadsheet code in which everything must survive."""

TEXTS = r"""
=== nc-python-constants | code | en
MARKET_CAP = «cardlike:amex»
SHARES = «ssnlike»
VOLUME_LIMIT = «abalike»
EPSILON = «sci»
=== nc-python-list | code | en
assets = [«cardlike:visa», «cardlike:mc», «n:15»]
prices = [«dec:3:12», «dec:3:12», «small:12»]
weights = np.array([«small:8», «small:8»])
=== nc-python-underscore | code | en
cap = «n:3»_«d:3»_«d:3»_«d:3»_«d:3»
mask = 0x«hexa:16»
seed = «n:9»
n_accounts = «n:9»
=== nc-python-env | code | en
api_key = os.environ["ANTHROPIC_API_KEY"]
client = Client(api_key=api_key, timeout=«n:3», max_tokens=«n:5»)
password = getpass.getpass("Password: ")
=== nc-python-account | code | en
account_balance = «n:10»
accounts_receivable = «n:12»
card_revenue = «cardlike:visa»
bank_deposits = «cardlike:amex»
=== nc-python-regex | code | en
SSN = re.compile(r"\b\d{3}-\d{2}-\d{4}\b")  # seen «n:5» times
IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
CARD_LENGTHS = (13, «between:14:16», 19)
=== nc-python-dict | code | en
{'symbol': '«tick»', 'marketCap': «cardlike:amex», 'volume': «ssnlike», 'ts': «epoch:ms», 'close': Decimal('«dec:3:12»')}
=== nc-python-traceback | code | en
  File "/usr/lib/python3.11/site-packages/yf/base.py", line «n:4», in history
ValueError: bad value «cardlike:visa» in column total_assets at row «n:7»
=== nc-python-sk | code | en
from sklearn.linear_model import Ridge  # sk-learn «between:0:1».«between:10:30»
task-«n:5»: model = Ridge(alpha=«small:10», random_state=«n:6»)
=== nc-python-function | code | en
def account_number_is_valid(account_number: str) -> bool:
    return 8 <= len(account_number) <= «between:12:17» and int(account_number) % «n:2» != «d:1»
=== nc-python-datetime | code | en
start = datetime(20«d:2», «between:1:12», «between:1:28»)
ns = «epoch:ns»
step = timedelta(milliseconds=«n:8»)
=== nc-sql-select | code | en
SELECT ticker, market_cap FROM caps WHERE market_cap > «cardlike:amex» AND volume < «ssnlike» ORDER BY 2 DESC LIMIT «n:3»;
=== nc-sql-insert | code | en
INSERT INTO bars (ts, symbol, close, volume, turnover) VALUES («epoch:ms», '«tick»', «dec:3:8», «ssnlike», «cardlike:visa»);
=== nc-sql-account | code | en
SELECT account_type, SUM(balance) FROM ledger WHERE balance > «n:10» AND posted >= '«date:%Y-%m-%d»' GROUP BY account_type;
=== nc-sql-ddl | code | en
CREATE TABLE payments (id BIGINT, card_number VARCHAR(19), iban VARCHAR(34), ssn CHAR(11), amount DECIMAL(«between:12:38»,«between:2:8»));
=== nc-sql-copy | code | en
COPY financials (cik, revenue, assets) FROM stdin;
«n:7»	«n:12»	«cardlike:visa»
«n:7»	«cardlike:mc»	«n:13»
=== nc-shell-curl | code | en
curl -s "https://api.example.com/v3/quote?symbol=«tick»&from=«epoch:s»&apikey=$QUOTES_KEY" | jq '.[«between:0:9»].marketCap'
=== nc-shell-flags | code | en
finclaw run --max-tokens «n:5» --seed «n:9» --budget «dec:2:2» --since «date:%Y-%m-%d» --limit «n:7»
=== nc-shell-ls | code | en
-rw-r--r-- 1 root root «n:10» «date:%b %d %H~%M» bars-«date:%Y%m%d».parquet
-rw-r--r-- 1 root root «ssnlike» «date:%b %d %H~%M» account_balances.csv
=== nc-shell-export | code | en
export ANTHROPIC_API_KEY="$(pass show anthropic)"
export MAX_ROWS=«n:9»
export SEED=«ssnlike»
=== nc-excel | code | en
=SUM(B2:B«n:4»)*«dec:1:6»/POWER(1+«small:6»,«between:1:30»)
=VLOOKUP("«tick»",'Caps'!$A$1:$D$«n:4»,4,FALSE)+«n:12»
=== nc-csv-numpy | code | en
array([[«sci», «sci»],
       [«small:8», «dec:9:8»]])
shape=(«n:6», 2) nbytes=«n:9»
=== nc-jsonpath | code | en
$.facts['us-gaap'].AccountsReceivableNetCurrent.units.USD[?(@.val > «n:12»)].accn == "«accession»"
=== nc-tests | code | en
assert market_cap("«krcode».KS") == «cardlike:amex»
assert round(close, 12) == «small:12»
assert total_assets == «cardlike:visa»
=== nc-javascript | code | en
const cap = «cardlike:amex»n, ts = «epoch:ms», px = «dec:3:10»;
if (volume > «ssnlike») console.log(`#«hexa:6»`, cap.toLocaleString());
=== nc-r | code | en
df <- data.frame(assets = c(«cardlike:visa», «n:15»), shares = c(«ssnlike», «abalike»))
set.seed(«n:8»)
=== nc-pine | code | en
strategy("desk-«n:3»", initial_capital=«n:9», commission_value=«small:4»)
length = input.int(«between:5:200»)
=== nc-diff | code | en
-    "total_assets": «cardlike:visa»,
+    "total_assets": «cardlike:mc»,
-    "shares": «n:10»,
+    "shares": «ssnlike»,
"""
