import type { Generated } from 'kysely'
import type { resources } from '../../../resources/resource-table.js'
import type { RowOf } from '../../../schema/types.js'
import type { BooksAcceptanceRow, CheckpointRow } from './books-rows.js'
import type { MailProgressRow, MailRefusalRow } from './mail-rows.js'
import type { OperatorSettingsRow } from './operator-rows.js'
import type { ReportDayRow } from './report-day-row.js'

/** Every table of an environment's database. The resources' own follow from their declarations. */
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

/** The outbox: what happened, written with the change, to be delivered later. */
export interface EventRow {
  id: string
  trigger: string
  object: string
  object_id: string
  /** The status that the object had then; nothing where it has none. */
  value: string | null
  /** The processing account it concerns, so that a webhook receives only what its key may see. */
  processing_id: string | null
  /** Whose request it came from: a key's id, or the operator. */
  principal_id: string
  created_at: string
  /** PostgreSQL's number of the unit of work that it is of. */
  work: number | null
}

/** An event that is to be delivered to a webhook, or was. */
export interface DeliveryRow {
  /** The event's id and the webhook's: there is never a second one. */
  id: string
  event_id: string
  webhook_id: string
  /** The webhook's id again while an attempt is due; null afterwards. */
  waiting: string | null
  /** When the next attempt is due (milliseconds since 1970, real time); during one, when another process may try. */
  due_at: number | null
  /** The id of the process that makes an attempt. */
  lease: string | null
  /** How many were made of those that the schedule allows. */
  attempts: number
  outcome: 'delivered' | 'given_up' | 'dropped' | null
}

/** Its one row says how far events were handed to webhooks. */
export interface FanOutRow {
  id: string
  /** The last event that was looked at. */
  event_id: string
  /** Up to this event, none that committed late can have been missed. */
  swept_id: string
  /** The unit of work that this event is of, on PostgreSQL. */
  swept_work: number | null
}

/** The journal: an amount moved from one book account to another. Append-only. */
export interface PostingRow {
  id: string
  transaction_id: string
  processing_id: string
  currency: string
  from_account: string
  to_account: string
  /** Minor units, above zero. */
  amount: number
  created_at: string
}

/** What is booked of a line of a settlement; of no account where it is nobody's. */
export interface SettlementPostingRow extends Omit<PostingRow, 'transaction_id' | 'processing_id'> {
  settlement_line_id: string
  processing_id: string | null
}

/** What the resolution of an exception moved, as a posting does. Append-only. */
export interface ExceptionPostingRow extends Omit<PostingRow, 'transaction_id' | 'processing_id'> {
  exception_id: string
  /** Nothing where nobody knows whose it was. */
  processing_id: string | null
}

export interface IdempotencyRow {
  /** Keyed hash of principal, method, path and the client's key. */
  id: string
  /** Keyed hash of the request; never the request itself. */
  request_hash: string
  /** Null while the first request still runs. */
  status: number | null
  /** The answer's JSON; null while there is none, and for one that showed a secret. */
  answer: string | null
  /** What an unfinished answer is about, so that reconciliation can complete it: JSON. */
  continuation: string | null
  created_at: string
}

/** The file of an invoice attachment, by the attachment's id. */
export interface AttachmentContentRow {
  id: string
  content: Buffer
}

/** An attempt to collect an invoice by an automatic payment; one an invoice and day unless people request more. */
export interface CollectionRow {
  id: string
  invoice_id: string
  /** In the organization's time zone. */
  attempt_date: string
  /** The payment; null when it was refused before the gateway was called. */
  transaction_id: string | null
  /** Why it was refused then. */
  refusal: string | null
  /** The method that it was made with ... */
  payment_method_id: string | null
  /** ... and by what it was charged then, as `Visa ending in 4242, 12/39`. */
  identified_by: string | null
  /** 0 for the attempt of the day; those that people requested are numbered from 1, day by day. */
  requested: number
  created_at: string
}

/** A file of many rows, each of which is processed once. */
export interface BatchTable {
  /** The name that the operator gave it. */
  id: string
  /** What each row is. */
  kind: string
  /** Keyed hash of the file: it may hold card numbers. */
  content_hash: string
  rows: number
  source: string | null
  /** How the file is read: JSON. */
  options: string | null
  /** The column that identifies a row; nothing where its whole content does. */
  key: string | null
  created_at: string
  finished_at: string | null
}

/** What became of a row, committed with it and kept for good: it is never done again. */
export interface BatchRowTable {
  /** Keyed hash of the batch, and of the row's key, or of its content and which occurrence of that it is. */
  id: string
  batch_id: string
  /** Its number in the file that it was first done from. */
  row: number
  status: 'done' | 'declined' | 'failed' | 'waiting'
  object_id: string | null
  error: string | null
  /** What it was when it was done, in a batch with a key: `RowVersion` as JSON. Nothing where it could not be read. */
  content: string | null
  created_at: string
}

/** Which gateway new operations go to; the most particular route that fits counts. */
export type GatewayRouteRow = {
  /** What it is for: there is one of each. */
  id: string
  gateway_id: string
  /** `card`, `bank_account`; nothing: both. */
  method: string | null
  /** Nothing: every processing account. */
  processing_id: string | null
  /** The merchant's account at the gateway; nothing: that of the gateway. */
  merchant: string | null
  created_at: string
}

/** A reason why operations are kept from a gateway for a while. */
export interface GatewayCircuitRow {
  /** Gateway, scope and subject: there is one of each. */
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
  /** The merchant at the gateway, empty for its own; of `reading` the call. */
  subject: string
  problem: string
  /** Datetime of the first failure (UTC). */
  since: string
  /** Time of the last failure, in milliseconds since 1970. */
  noticed_at: number
}

/** An access or refresh token of a grant. */
export type OauthTokenRow = {
  id: string
  grant_id: string
  kind: 'access' | 'refresh'
  token_hash: string
  /** From when it is refused. */
  expires_at: string
  /** First use of a refresh token; half a minute later, another use revokes the whole grant. */
  used_at: string | null
}

/** A code by which an operator enters the console for the first time. */
export type OperatorEntryRow = {
  id: string
  operator_id: string
  /** Keyed hash of the code. */
  code_hash: string
  /** Milliseconds since 1970, real time. */
  expires_at: number
  used_at: number | null
}

/** A key of the key file as the database knows it. */
export interface VaultKeyRow {
  /** The key's id, or `hash` for the one that hashes secrets. */
  id: string
  /** A keyed hash of nothing but the key itself. */
  fingerprint: string
  /** Random, so that no two logs begin with the same commit, which records the keys. */
  salt: string
  /** Since when nothing in this database is sealed under it; nothing while it is needed. */
  retired_at: string | null
}

/** A commit of the sealed books: which rows it changed, and a digest of each as it left them. Append-only. */
export interface SealLogRow {
  /** Its number: from 1, without gaps. */
  id: number
  /** A line for each row: its kind of object, a blank, its id. */
  entries: string
  /** The digests in the same order, 32 bytes each. */
  leaves: Buffer
  /** Over the commit before it, its digests and its number; in hex. */
  hash: string
  /** A keyed hash of that, of the names and of the numbers below: who made the commit has the home's key. */
  mac: string
  /** The number of the last commit, up to this one, that changed a row which is compared with its seal. */
  control: number
  /** Number of the previous commit that changed control, or 0; null for a commit that changed none. */
  control_before: number | null
}

/** Entries that wait to be sealed (PostgreSQL), one row a unit of work. */
export interface SealQueueRow {
  /** Later where it changed a row after another one. */
  id: Generated<number>
  entries: string
  leaves: Buffer
  mac: string
  /** 1 where it changed a row that is compared with its seal. */
  control: number | null
}

/** A counted attempt, until it counts no more. */
export interface AttemptRow {
  id: string
  purpose: AttemptPurpose
  /** A keyed hash of the counted subject; of a refusal the id of the object, in clear. */
  subject: string
  /** A keyed hash of the tried value; of a refusal the id of the object that was used. */
  what: string
  /** Milliseconds since 1970, real time, from which it counts no more. */
  until: number
}

/** Attempts that are counted, and below them refusals that operators are shown. */
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

/** Its one row is there from a restore until gateways were asked what was forgotten by it. */
export type CatchUpRow = {
  id: string
  /** When the backup was made: what came later may be forgotten. */
  since: string
  restored_at: string
}

/** Its one row is there while the environment is in maintenance. */
export type MaintenanceRow = {
  id: string
  message: string | null
  since: string
}

/** The clock of the test environment, once it was moved; and that of answers, with what the real time was then. */
export interface ClockRow {
  id: string
  /** By which it is ahead of the real time. */
  offset_milliseconds: number
  /** While an advance runs the due jobs on its way: when it ends at the latest (real time). */
  advancing_until: number | null
}
