/** Tables of the reference servers, with the columns of a transaction and the indexes that operators' searches need. */
export const schema = `
  CREATE TABLE IF NOT EXISTS payment_methods (
    id TEXT PRIMARY KEY, type TEXT NOT NULL, expiry TEXT NOT NULL, created_at TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS transactions (
    id TEXT PRIMARY KEY, type TEXT NOT NULL, amount INTEGER NOT NULL, status TEXT NOT NULL, status_code TEXT,
    status_message TEXT, funding_status TEXT, processing_id TEXT, customer_id TEXT, payment_method_id TEXT,
    description TEXT, order_number TEXT, ref_number TEXT, avs TEXT, fee INTEGER, risk_flag TEXT, risk_score INTEGER,
    source TEXT, processed_date TEXT, created_at TEXT NOT NULL, modified_at TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS transactions_by_time ON transactions (created_at);
  CREATE INDEX IF NOT EXISTS transactions_by_account ON transactions (processing_id, created_at);
  CREATE TABLE IF NOT EXISTS events (
    id TEXT PRIMARY KEY, transaction_id TEXT NOT NULL, value TEXT, created_at TEXT NOT NULL
  ) WITHOUT ROWID;
`
