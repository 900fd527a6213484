import type { Generated } from 'kysely'
import type { resources } from '../../../resources/resource-table.js'
import type { RowOf } from '../../../schema/types.js'
import type { BooksAcceptanceRow, CheckpointRow } from './books-rows.js'
import type { MailProgressRow, MailRefusalRow } from './mail-rows.js'
import type { OperatorSettingsRow } from './operator-rows.js'
import type { ReportDayRow } from './report-day-row.js'

/** All tables of an environment's database. Those of resources follow from the declarations. */
export interface Tables extends ResourceTables {
  events: EventRow
  postings: PostingRow
  exception_postings: ExceptionPostingRow
  settlement_postings: SettlementPostingRow
  idempotency_records: IdempotencyRow
  clock: ClockRow
  maintenance: MaintenanceRow
  attachment_contents: AttachmentContentRow
  collections: CollectionRow
  batches: BatchTable
  batch_rows: BatchRowTable
  deliveries: DeliveryRow
  fan_out: FanOutRow
  oauth_tokens: OauthTokenRow
  vault_keys: VaultKeyRow
  seal_log: SealLogRow
  seal_queue: SealQueueRow
  checkpoints: CheckpointRow
  books_acceptances: BooksAcceptanceRow
  gateway_routes: GatewayRouteRow
  gateway_circuits: GatewayCircuitRow
  catch_ups: CatchUpRow
  attempts: AttemptRow
  mail_progress: MailProgressRow
  mail_refusals: MailRefusalRow
  operator_entries: OperatorEntryRow
  operator_settings: OperatorSettingsRow
  report_days: ReportDayRow
}

export interface ResourceTables {
  accounts: AccountRow
  processing_settings: ProcessingSettingsRow
  legal_entities: LegalEntityRow
  legal_entity_owners: LegalEntityOwnerRow
  payment_methods: PaymentMethodRow
  transactions: TransactionRow
  transaction_ledgers: LedgerRow
  orgs: OrgRow
  account_access: AccountAccessRow
  billing_schedules: BillingScheduleRow
  billing_charges: BillingChargeRow
  invoices: InvoiceRow
  line_items: LineItemRow
  invoice_attachments: InvoiceAttachmentRow
  payment_links: PaymentLinkRow
  link_notifications: LinkNotificationRow
  payment_activations: PaymentActivationRow
  receipts: ReceiptRow
  readers: ReaderRow
  processing_agreements: ProcessingAgreementRow
  stakeholders: StakeholderRow
  webhooks: WebhookRow
  webhook_logs: WebhookLogRow
  access_tokens: AccessTokenRow
  admin_keys: ApiKeyRow
  admin_operators: OperatorRow
  admin_operator_sessions: OperatorSessionRow
  admin_activity: ActivityRow
  admin_oauth_users: OauthUserRow
  admin_oauth_redirects: OauthRedirectRow
  admin_oauth_grants: OauthGrantRow
  disputes: DisputeRow
  admin_gateways: GatewayRow
  admin_exceptions: ExceptionRow
  admin_gateway_notifications: GatewayNotificationRow
  admin_settlements: SettlementRow
  admin_settlement_lines: SettlementLineRow
  admin_mail_servers: MailServerRow
  admin_mail_messages: MailMessageRow
}

export type AccountRow = RowOf<typeof resources.account>
export type ProcessingSettingsRow = RowOf<typeof resources.processing_settings>
export type LegalEntityRow = RowOf<typeof resources.legal_entity>
export type LegalEntityOwnerRow = RowOf<typeof resources.legal_entity_owner>
export type PaymentMethodRow = RowOf<typeof resources.payment_method>
export type TransactionRow = RowOf<typeof resources.transaction>
export type LedgerRow = RowOf<typeof resources.transaction_ledger>
export type OrgRow = RowOf<typeof resources.org>
export type AccountAccessRow = RowOf<typeof resources.account_access>
export type BillingScheduleRow = RowOf<typeof resources.billing_schedule>
export type BillingChargeRow = RowOf<typeof resources.billing_charge>
export type InvoiceRow = RowOf<typeof resources.invoice>
export type LineItemRow = RowOf<typeof resources.line_item>
export type InvoiceAttachmentRow = RowOf<typeof resources.invoice_attachment>
export type PaymentLinkRow = RowOf<typeof resources.payment_link>
export type LinkNotificationRow = RowOf<typeof resources.link_notification>
export type PaymentActivationRow = RowOf<typeof resources.payment_activation>
export type ReceiptRow = RowOf<typeof resources.receipt>
export type ReaderRow = RowOf<typeof resources.reader>
export type ProcessingAgreementRow = RowOf<typeof resources.processing_agreement>
export type StakeholderRow = RowOf<typeof resources.stakeholder>
export type WebhookRow = RowOf<typeof resources.webhook>
export type WebhookLogRow = RowOf<typeof resources.webhook_log>
export type AccessTokenRow = RowOf<typeof resources.access_token>
export type ApiKeyRow = RowOf<typeof resources.api_key>
export type OperatorRow = RowOf<typeof resources.operator>
export type OperatorSessionRow = RowOf<typeof resources.operator_session>
export type ActivityRow = RowOf<typeof resources.activity>
export type OauthUserRow = RowOf<typeof resources.oauth_user>
export type OauthRedirectRow = RowOf<typeof resources.oauth_redirect>
export type OauthGrantRow = RowOf<typeof resources.oauth_grant>
export type DisputeRow = RowOf<typeof resources.dispute>
export type GatewayRow = RowOf<typeof resources.gateway>
export type SettlementRow = RowOf<typeof resources.settlement>
export type SettlementLineRow = RowOf<typeof resources.settlement_line>
export type GatewayNotificationRow = RowOf<typeof resources.gateway_notification>
export type ExceptionRow = RowOf<typeof resources.exception>
export type MailServerRow = RowOf<typeof resources.mail_server>
export type MailMessageRow = RowOf<typeof resources.mail_message>

/** Event in the outbox, written with the change that it reports and delivered later. */
export interface EventRow {
  id: string
  trigger: string
  object: string
  object_id: string
  /** Status of the object at that time; null if it has none. */
  value: string | null
  /** Processing account of the object. A webhook receives only events that its key may see. */
  processing_id: string | null
  /** Author of the request: id of a key or operator, or `system`. */
  principal_id: string
  created_at: string
  /** PostgreSQL's number of the transaction that wrote the event; null on SQLite. */
  work: number | null
}

/** Delivery of an event to a webhook, due or completed. */
export interface DeliveryRow {
  /** Made from the ids of event and webhook, so it is unique. */
  id: string
  event_id: string
  webhook_id: string
  /** Id of the webhook while an attempt is due or running; null afterwards. */
  waiting: string | null
  /**
   * Time of the next attempt, in milliseconds since 1970 (real time). During an attempt: time from which
   * another process may try.
   */
  due_at: number | null
  /** Id of the process that makes an attempt. */
  lease: string | null
  /** Number of scheduled attempts made so far. */
  attempts: number
  outcome: 'delivered' | 'given_up' | 'dropped' | null
}

/** Progress of handing events to webhooks: a single row. */
export interface FanOutRow {
  id: string
  /** Id of the last event that was processed. */
  event_id: string
  /** Event up to which no late commit can have been missed. */
  swept_id: string
  /** Number of the transaction that wrote that event, on PostgreSQL. */
  swept_work: number | null
}

/** Posting of the journal: an amount moved between two book accounts. Append-only. */
export interface PostingRow {
  id: string
  transaction_id: string
  processing_id: string
  currency: string
  from_account: string
  to_account: string
  /** In minor units, above zero. */
  amount: number
  created_at: string
}

/** Posting for a line of a settlement. `processing_id` is null if the line belongs to no known account. */
export interface SettlementPostingRow extends Omit<PostingRow, 'transaction_id' | 'processing_id'> {
  settlement_line_id: string
  processing_id: string | null
}

/** Posting for the resolution of an exception. Append-only. */
export interface ExceptionPostingRow extends Omit<PostingRow, 'transaction_id' | 'processing_id'> {
  exception_id: string
  /** Processing account whose money it was; null if the account is not known. */
  processing_id: string | null
}

export interface IdempotencyRow {
  /** Keyed hash of principal, method, path and the client's key. */
  id: string
  /** Keyed hash of the request; the request itself is never stored. */
  request_hash: string
  /** HTTP status; null while the first request is unfinished. */
  status: number | null
  /** Answer as JSON; null if there is none yet, or if it showed a secret. */
  answer: string | null
  /** `Continuation` of an unfinished answer as JSON, so that reconciliation can complete the answer. */
  continuation: string | null
  created_at: string
}

/** File of an invoice attachment, with the id of the attachment. */
export interface AttachmentContentRow {
  id: string
  content: Buffer
}

/**
 * Attempt to collect an invoice by an automatic payment. There is one per invoice and day, plus those that
 * people request.
 */
export interface CollectionRow {
  id: string
  invoice_id: string
  /** Date in the organization's time zone. */
  attempt_date: string
  /** Id of the payment; null if the attempt was refused before the gateway was called. */
  transaction_id: string | null
  /** Reason for such a refusal; null otherwise. */
  refusal: string | null
  /** Payment method of the attempt. */
  payment_method_id: string | null
  /** Description of the payment method at the time of the attempt, such as `Visa ending in 4242, 12/39`. */
  identified_by: string | null
  /** 0 for the attempt of the day; attempts that people requested are numbered from 1 on each day. */
  requested: number
  created_at: string
}

/** Batch: a file of many rows, each processed once. */
export interface BatchTable {
  /** Name that the operator gave to the batch. */
  id: string
  /** Kind of the batch's rows. */
  kind: string
  /** Keyed hash of the file, which may contain card numbers. */
  content_hash: string
  rows: number
  source: string | null
  /** Options for reading the file, as JSON. */
  options: string | null
  /** Column that identifies a row; null if a row is identified by its whole content. */
  key: string | null
  created_at: string
  finished_at: string | null
}

/**
 * Result of a batch row, committed with its changes and kept forever, so that the row is never processed
 * again.
 */
export interface BatchRowTable {
  /**
   * Keyed hash of the batch and the row's key. Without a key, it covers the batch, the row's content and the
   * number of this occurrence of the content.
   */
  id: string
  batch_id: string
  /** Row number in the file from which it was first processed. */
  row: number
  status: 'done' | 'declined' | 'failed' | 'waiting'
  object_id: string | null
  error: string | null
  /**
   * Content of the row when it was processed, in a batch with a key: `RowVersion` as JSON. Null if it could
   * not be read.
   */
  content: string | null
  created_at: string
}

/** Route that selects the gateway for new operations; the most specific matching route applies. */
export type GatewayRouteRow = {
  /** Made from the route's conditions, so it is unique. */
  id: string
  gateway_id: string
  /** `card` or `bank_account`; null: both. */
  method: string | null
  /** Null: all processing accounts. */
  processing_id: string | null
  /** Merchant account at the gateway; null: the gateway's own setting. */
  merchant: string | null
  created_at: string
}

/** Circuit that keeps operations from a gateway for a while because of failures. */
export interface GatewayCircuitRow {
  /** Made from gateway, scope and subject, so it is unique. */
  id: string
  gateway_id: string
  scope:
    | 'gateway'
    | 'merchant'
    | 'card'
    | 'bank_account'
    | 'card_number'
    | 'unreachable'
    | 'failing'
    | 'reading'
  /**
   * Merchant account at the gateway, empty for the gateway's own one. For the scope `reading`: the name of
   * the call.
   */
  subject: string
  problem: string
  /** Datetime of the first failure (UTC). */
  since: string
  /** Time of the last failure, in milliseconds since 1970. */
  noticed_at: number
}

/** Access or refresh token of an OAuth grant. */
export type OauthTokenRow = {
  id: string
  grant_id: string
  kind: 'access' | 'refresh'
  token_hash: string
  /** Datetime from which the token is refused. */
  expires_at: string
  /**
   * Datetime of a refresh token's first use. Another use more than half a minute later revokes the whole
   * grant.
   */
  used_at: string | null
}

/** Code with which an operator enters the console for the first time. */
export type OperatorEntryRow = {
  id: string
  operator_id: string
  /** Keyed hash of the code. */
  code_hash: string
  /** Expiry in milliseconds since 1970, real time. */
  expires_at: number
  used_at: number | null
}

/** Key of the key file, as known to the database. */
export interface VaultKeyRow {
  /** Id of the key, or `hash` for the key that hashes secrets. */
  id: string
  /** Keyed hash that identifies the key. */
  fingerprint: string
  /** Random text. It makes the first commit of every log different, because that commit records the keys. */
  salt: string
  /**
   * Datetime since which no value in this database is encrypted with the key; null while the key is needed.
   */
  retired_at: string | null
}

/** Commit of the sealed books: the rows that it changed, with a digest of each. Append-only. */
export interface SealLogRow {
  /** Number of the commit: from 1, without gaps. */
  id: number
  /** One line per row: its object type, a blank, its id. */
  entries: string
  /** Digests in the same order, 32 bytes each. */
  leaves: Buffer
  /** Hash over the previous commit, the digests and the number; in hex. */
  hash: string
  /**
   * Keyed hash of `hash`, `entries` and the numbers below. It proves that the commit was made with the
   * home's key.
   */
  mac: string
  /**
   * Number of the last commit, up to this commit, that changed a control row. Control rows are compared with
   * their seals.
   */
  control: number
  /** Number of the previous commit that changed control rows, or 0; null for a commit that changed none. */
  control_before: number | null
}

/** Entries that wait to be sealed (PostgreSQL), one row per unit of work. */
export interface SealQueueRow {
  /** Serial number. If two units of work changed the same row, the later change has the higher number. */
  id: Generated<number>
  entries: string
  leaves: Buffer
  mac: string
  /** 1 if a control row was changed, which is compared with its seal; otherwise null. */
  control: number | null
}

/** Counted attempt, kept until it expires. */
export interface AttemptRow {
  id: string
  purpose: AttemptPurpose
  /** Keyed hash of the counted subject; for a refusal the id of its object, in plain text. */
  subject: string
  /** Keyed hash of the tried value; for a refusal the id of the object that was used. */
  what: string
  /** Time from which the attempt is no longer counted, in milliseconds since 1970, real time. */
  until: number
}

/** Purposes of counted attempts; the last four are refusals that operators are shown. */
export type AttemptPurpose =
  | 'number_filter'
  | 'payer_number'
  | 'declined_number'
  | 'approved_payer'
  | 'sign_in'
  | 'number_guessing'
  | 'card_testing'
  | 'incomplete_account'
  | 'untrusted_proxy'

/** Marks a restored database until gateways have reported the operations after its backup: a single row. */
export type CatchUpRow = {
  id: string
  /** Datetime of the backup; later operations may be unknown to the database. */
  since: string
  restored_at: string
}

/** Marks an environment that is in maintenance: a single row. */
export type MaintenanceRow = {
  id: string
  message: string | null
  since: string
}

/** State of a clock: that of the test environment, once it was moved, or the answer clock. */
export interface ClockRow {
  id: string
  /** Milliseconds by which the clock is ahead of the real time. */
  offset_milliseconds: number
  /**
   * Latest end of a running advance with its due jobs, in milliseconds of real time. For the answer clock:
   * real time of its last look.
   */
  advancing_until: number | null
}
