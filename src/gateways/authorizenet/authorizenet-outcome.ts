import { parseMoney } from '../../schema/money.js'
import { type Input, isTree } from '../../schema/types.js'
import type { DeclinedOutcome, GatewayOperation, GatewayOutcome } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { textIn, treesIn } from './authorizenet-api.js'
import { describedIn } from './authorizenet-fields.js'
import { tokenIn } from './authorizenet-profile.js'
import { DUPLICATE, MISCONFIGURED, PARTIAL_CODE, REVIEW_CODES, reasonGroup } from './reason-codes.js'
import { avsOf, cvvOf } from './verification-codes.js'

/** Outcome of a `createTransactionRequest`, or `DUPLICATE` if the same contents were sent before. */
export type TransactionAnswer = GatewayOutcome | typeof DUPLICATE

/** Outcome in an answer to a `createTransactionRequest`. Throws `UnknownOutcome` if the answer is not conclusive. */
export function answerIn(body: Input, operation: GatewayOperation): TransactionAnswer {
  const { transactionResponse: answer } = body
  if (!isTree(answer)) throw new UnknownOutcome('The answer has no transaction')
  const code = codeIn(answer)
  const id = textIn(answer, 'transId')
  const known = {
    gatewayId: id === '0' ? null : (id ?? null),
    code: code ?? null,
    avs: avsOf(answer.avsResultCode),
    cvv: cvvOf(answer.cvvResultCode),
  }
  if (answer.testRequest === '1')
    return {
      result: 'misconfigured',
      scope: 'gateway',
      problem: 'The account is in test mode: it charges nobody',
    }
  if (code === PARTIAL_CODE || textIn(answer, 'responseCode') === '1') {
    if (known.gatewayId === null) throw new UnknownOutcome('It is approved without an id')
    return {
      ...known,
      result: 'approved',
      amount: approvedAmount(answer, code, operation),
      authCode: textIn(answer, 'authCode') ?? null,
      networkId: textIn(answer, 'networkTransId') ?? null,
      ...tokenIn(body.profileResponse),
      method: describedIn(answer),
    }
  }
  switch (textIn(answer, 'responseCode')) {
    case '2':
    case '3':
      return declinedBy(code, known)
    case '4':
      if (known.gatewayId === null) throw new UnknownOutcome('It is held for review without an id')
      return { ...known, result: 'pending' }
    default:
      throw new UnknownOutcome(`The response code ${textIn(answer, 'responseCode')} is not documented`)
  }
}

/**
 * Outcome by the reason code of a decline. Some codes mean a review, a duplicate or a misconfigured account instead.
 */
function declinedBy(code: string | undefined, known: Partial<DeclinedOutcome>): TransactionAnswer {
  if (code !== undefined && REVIEW_CODES.has(code)) return { ...known, result: 'pending' }
  const { statusCode, isHard, scope = 'gateway' } = reasonGroup(code)
  if (statusCode === DUPLICATE) return DUPLICATE
  if (statusCode === MISCONFIGURED)
    return {
      result: 'misconfigured',
      scope,
      problem: `The account is not set up for it: reason code ${code}`,
    }
  return { ...known, result: 'declined', statusCode, ...(isHard && { isHard }) }
}

/**
 * Approved amount: the requested one, or less if a prepaid card had less. Throws `UnknownOutcome` if a partial amount
 * is missing or negative.
 */
function approvedAmount(answer: Input, code: string | undefined, { amount }: GatewayOperation): number {
  const { prePaidCard } = answer
  const text = isTree(prePaidCard) ? textIn(prePaidCard, 'approvedAmount') : undefined
  const approved = text === undefined ? undefined : parseMoney(text)
  if (approved !== undefined && approved < 0) throw new UnknownOutcome('It approves less than nothing')
  if (approved !== undefined) return approved
  if (code === PARTIAL_CODE) throw new UnknownOutcome('A part is approved, and it is not told which')
  return amount
}

/** Code of the answer's first error; without errors, code of its first message. */
function codeIn(answer: Input): string | undefined {
  const error = textIn(treesIn(answer.errors, 'error')[0], 'errorCode')
  return error ?? textIn(treesIn(answer.messages, 'message')[0], 'code')
}
