import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import type {
  AccountRow,
  PaymentMethodRow,
  ProcessingSettingsRow,
  TransactionRow,
} from '../../../engine/store/database/tables.js'
import type { GatewayOperation, RemoteGateway } from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import { statusMessage } from '../../../schema/status-codes.js'
import { processingSettingsOf } from '../../accounts/processing-settings-rule.js'
import { missingParts, requirementsOf } from '../../accounts/processing-status.js'
import { invoiceTerms, paidInvoices, writeAllocations } from '../../allocations/new-payment.js'
import type { Gateways, Routed, Routing } from '../../gateways/gateways.js'
import type { Decision } from '../../ledger/decision.js'
import { feesOf, methodKind, NO_FEES, priceOf } from '../../ledger/fees.js'
import { storedTransaction } from '../../ledger/stored-transaction.js'
import { countOutcome, countPayer } from '../../risk/card-testing.js'
import { type Screening, screenPayment, UNSCREENED } from '../../risk/screening.js'
import { askAfterCommit } from '../outcome/ask-gateway.js'
import { decideDecline, decideOutcome } from '../outcome/decide-outcome.js'
import { changeDecided, insertDecided } from '../outcome/persist-decision.js'
import { forgetUsedOnce } from '../outcome/record-outcome.js'
import {
  cannotProcess,
  disabledKind,
  exceededLimit,
  findDestination,
  mayProcess,
} from '../parties/find-destination.js'
import { judgeMethod } from '../parties/judge-method.js'
import { newTransaction, type TransactionInput } from '../parties/new-transaction.js'
import { linkTerms } from '../parties/pay-through-link.js'
import { type Payer, payerOf } from '../parties/payer.js'
import { readerOf } from '../parties/related-objects.js'
import { instrumentAt } from '../parties/stored-token.js'
import { requestForNew } from '../pending/gateway-request.js'
import { type NewOperation, writePending } from '../pending/pending-operation.js'
import { businessDayOf } from '../pending/today.js'

/** A request with a payment method: a payment to capture now or later, a blind refund, or a credit. */
export interface PaymentRequest {
  readonly type: 'payment' | 'refund' | 'credit'
  /** Status after an approval. */
  readonly requestedStatus: 'processed' | 'authorized'
  /** Whether the payment is due by a schedule, without a client's request. */
  readonly isAutomatic?: boolean
}

/**
 * Takes a payment, or pays a blind refund or a credit: resolve, check, decide, call the gateway, record. The outcome
 * of an embedded gateway (the simulator) is part of the same row; a remote gateway is called after the commit. Throws
 * `InvalidAttributes` before any row is stored. Spec: "Operations on specific resources". See docs/money.md, "Before a
 * payment is taken".
 */
export async function takePayment(
  work: Work,
  gateways: Gateways,
  given: TransactionInput,
  request: PaymentRequest,
): Promise<TransactionRow> {
  const draft = await resolveDraft(work, given, request)
  const payer = work.principal.kind === 'client' ? await countPayer(work, draft) : undefined
  const row = await performPayment(work, gateways, draft)
  if (payer) await countOutcome(work, payer, row)
  return row
}

async function performPayment(work: Work, gateways: Gateways, draft: PaymentDraft): Promise<TransactionRow> {
  const { request, account, method } = draft
  if (request.type !== 'payment') await expectPaidAsSealed(work, method)
  const { gateway, merchant } = await gateways.forNew(work, {
    method: method.type ?? 'card',
    processingId: account.id,
  })
  const instrument = instrumentAt({ gateway: gateway.name, merchant }, draft)
  const screening = await screen(work, draft)
  if (screening.kind === 'refused') {
    const refused = newRow(draft, screening, { gateway, merchant }, null)
    return await recordRefused(work, draft, refused, decideDecline(screening.statusCode))
  }

  const operation = chooseOperation(request, screening)
  const row = newRow(draft, screening, { gateway, merchant }, operation)
  const transaction = storedTransaction(row)
  const gatewayRequest = requestForNew(operation, row, instrument, work.principal.device)
  if (gateway.kind === 'remote') {
    await work.insert(resources.transaction, row)
    await writeAllocations(work, draft.input, row)
    askAfterCommit(work, gateway, comingBack(work, gateway, gatewayRequest), row.id)
    return row
  }

  const outcome = gateway.perform(gatewayRequest)
  const today = await businessDayOf(work, account)
  const recorded = await record(work, draft, row, decideOutcome(transaction, operation, outcome, today))
  if (outcome.result === 'declined' || method.barred_by !== null) await judgeMethod(work, recorded, outcome)
  return recorded
}

/**
 * Adds to a request the page of payctl to which the payer returns after authenticating elsewhere, if that may be
 * necessary.
 */
function comingBack(work: Work, gateway: RemoteGateway, request: GatewayOperation): GatewayOperation {
  if (!gateway.capabilities.authentication || request.initiator !== 'payer') return request
  const { url } = resources.transaction.fields.next_action.fields
  return { ...request, returnUrl: work.addresses.show(url, request.reference, work.now) ?? undefined }
}

/** Refuses to pay out to a bank account whose row was changed outside payctl: the row no longer matches its seal. */
async function expectPaidAsSealed(work: Work, method: PaymentMethodRow): Promise<void> {
  if (method.type !== 'bank_account') return
  const problem = await work.sealProblem('payment_methods', method.id, method)
  if (problem !== undefined) throw invalidAttributes({ payment_method_id: problem })
}

/**
 * Takes a payment that is due by a schedule, without a client's request. Throws `InvalidAttributes` before any row is
 * stored.
 */
export type AutomaticPayment = (work: Work, input: TransactionInput) => Promise<TransactionRow>

/** Takes the payments that are due by a schedule. */
export interface AutomaticPayments {
  /** Whether there is a gateway for automatic payments. */
  isConnected(work: Work): Promise<boolean>
  /** Names of the gateways outside this machine; jobs have a lane for each. */
  lanes(work: Work): Promise<readonly string[]>
  /** Name of the gateway outside this machine to which a payment would go; undefined if there is none. */
  laneOf(work: Work, routing: Routing): Promise<string | undefined>
  readonly take: AutomaticPayment
}

/**
 * Takes automatic payments through the gateways. Each fires `automatic_payment` before `payment`. See docs/money.md,
 * "Billing schedules".
 */
export function automaticPayments(gateways: Gateways): AutomaticPayments {
  return {
    isConnected: async (work) => await gateways.isConnected(work),
    lanes: async (work) => await gateways.names(work),
    laneOf: async (work, routing) => await gateways.laneOfNew(work, routing),
    take: async (work, input) =>
      await takePayment(work, gateways, input, {
        type: 'payment',
        requestedStatus: 'processed',
        isAutomatic: true,
      }),
  }
}

/** Facts of a payment before it is screened; immutable. */
interface PaymentDraft extends Payer {
  readonly request: PaymentRequest
  /** The input, with the attributes that its link and its invoices decide. */
  readonly input: TransactionInput
  /** The attributes that the client sent, as a row. */
  readonly described: TransactionRow
  readonly account: AccountRow
  readonly settings: ProcessingSettingsRow
  readonly readerId: string | null
}

/**
 * Finds or creates all objects that the payment names, and checks that it may be taken. Throws `InvalidAttributes`.
 */
async function resolveDraft(
  work: Work,
  given: TransactionInput,
  request: PaymentRequest,
): Promise<PaymentDraft> {
  const link = await linkTerms(work, given)
  const linked = link ? { ...given, ...link } : given
  const terms = await invoiceTerms(work, linked)
  const input = terms ? { ...linked, ...terms } : linked
  const payer = await payerOf(work, input)
  const account = await findDestination(work, input, payer.customer)
  const settings = await processingSettingsOf(work, account)
  await refuseIneligible(work, account, settings, payer, input.amount ?? 0)
  const described = newTransaction(work, input)
  const readerId = await readerOf(work, input, account.id)
  return { request, input, described, account, settings, readerId, ...payer }
}

async function refuseIneligible(
  work: Work,
  account: AccountRow,
  settings: ProcessingSettingsRow,
  { customer, method }: Payer,
  amount: number,
): Promise<void> {
  const status = account.processing__status
  if (!mayProcess(work.environment, status)) {
    throw cannotProcess(account, missingParts(await requirementsOf(work, account)))
  }
  const problems =
    disabledKind(settings, methodKind(method)) ??
    exceededLimit(amount, [account.transaction_limit, customer?.transaction_limit])
  if (problems) throw invalidAttributes(problems)
}

/** Screens a payment for duplicates and risk. Blind refunds and credits pay money out and are not screened. */
async function screen(
  work: Work,
  { request, input, described, customer, method, account, settings }: PaymentDraft,
): Promise<Screening> {
  if (request.type !== 'payment') return UNSCREENED
  return await screenPayment(work, {
    amount: described.amount ?? 0,
    processingId: account.id,
    orderNumber: described.order_number,
    invoiceIds: paidInvoices(work, input),
    customerId: customer?.id ?? null,
    isAutomatic: request.isAutomatic === true,
    shippingPostalCode: described.shipping_details__postal_code,
    method,
    settings,
  })
}

/** Chooses the gateway's operation. A payment that is held for review is only authorized, whatever was requested. */
function chooseOperation({ type, requestedStatus }: PaymentRequest, screening: Screening): NewOperation {
  switch (type) {
    case 'payment':
      return screening.kind === 'held' || requestedStatus === 'authorized'
        ? { kind: 'authorize' }
        : { kind: 'sale' }
    case 'refund':
      return { kind: 'blind_refund' }
    case 'credit':
      return { kind: 'credit' }
  }
}

/** Writes a decided payment and its allocations; numbers that may be used only once are dropped then. */
async function record(
  work: Work,
  { input, method, customer }: PaymentDraft,
  row: TransactionRow,
  decision: Decision,
): Promise<TransactionRow> {
  const decided = await insertDecided(work, row, decision, customer)
  await writeAllocations(work, input, decided)
  await forgetUsedOnce(work, method)
  return decided
}

/**
 * Writes a payment that screening has declined. Its allocations are written as if the payment were under way, and then
 * undone. Wrong allocations are therefore refused whatever screening decides. Otherwise a request that is rolled back
 * would reveal which card numbers have paid before.
 */
async function recordRefused(
  work: Work,
  draft: PaymentDraft,
  row: TransactionRow,
  decision: Decision,
): Promise<TransactionRow> {
  const { input, method } = draft
  if (!input.allocations || input.allocations.length === 0) return await record(work, draft, row, decision)
  await work.insert(resources.transaction, row)
  await writeAllocations(work, input, row)
  const declined = await changeDecided(work, row, decision)
  await forgetUsedOnce(work, method)
  return declined
}

/** The row before the gateway has answered. */
function newRow(
  { request, described, customer, method, account, settings, readerId }: PaymentDraft,
  { risk, fingerprint }: Screening,
  { gateway, merchant }: Routed,
  operation: NewOperation | null,
): TransactionRow {
  const fees =
    request.type === 'payment'
      ? feesOf(described.amount ?? 0, priceOf(settings, methodKind(method)))
      : NO_FEES
  return {
    ...described,
    type: request.type,
    status: 'processing',
    status_message: statusMessage(null),
    funding_status: 'pending',
    requested_status: request.requestedStatus,
    automatic: request.isAutomatic ? 1 : null,
    customer_id: customer?.id ?? null,
    payment_method_id: method.id,
    processing_id: account.id,
    reader_id: readerId,
    conv_fee: fees.convFee,
    fee: fees.fee,
    accrued_fee: fees.accrued,
    source: described.source ?? 'keyed',
    method_fingerprint: fingerprint,
    risk_flag: risk.flag,
    risk_score: risk.score,
    gateway: gateway.name,
    gateway_merchant: merchant,
    pending_operation: operation && writePending(operation),
  }
}
