import type { StatusCode } from '../../schema/status-codes.js'
import type { RefusalScope } from '../contract.js'

/** A group of documented reason codes with the same meaning. `duplicate` and `misconfigured` are not declines. */
export interface ReasonGroup {
  /** Our status code, or `DUPLICATE` or `MISCONFIGURED`. */
  readonly statusCode: StatusCode | typeof DUPLICATE | typeof MISCONFIGURED
  /** Whether another attempt with the same method is useless. */
  readonly isHard?: true
  /**
   * Scope of a `MISCONFIGURED` group. The default is the whole gateway, because the credentials belong to one account.
   */
  readonly scope?: RefusalScope
  readonly codes: readonly number[]
}

/**
 * Meaning of a refusal of repeated contents. They include the unique invoice number, so the earlier request was the
 * same operation.
 */
export const DUPLICATE = 'duplicate'
/**
 * Meaning of a refusal because of the account: not set up, suspended, in test mode, or wrong credentials. The request
 * had no effect.
 */
export const MISCONFIGURED = 'misconfigured'

/** Numbers from the first to the last, both included. */
const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/**
 * All documented response reason codes, by meaning. The codes 1, 252, 253 and 295 are not declines and are handled
 * elsewhere.
 */
export const REASON_GROUPS: readonly ReasonGroup[] = [
  { statusCode: 'general_decline', codes: [2, 3, 191, 202, 203, 210, 213, 223, 224] },
  // The card must be kept by the merchant, the holder or account is unknown, or the bank does not allow the payment.
  { statusCode: 'general_decline', isHard: true, codes: [4, 128, 211, 212] },
  { statusCode: 'card_expired', isHard: true, codes: [7, 8, 201, 316, 317] },
  { statusCode: 'invalid_card_number', isHard: true, codes: [6, 37, 200, 315] },
  { statusCode: 'invalid_card_code', isHard: true, codes: [44, 65, 78, 165] },
  { statusCode: 'invalid_zip', isHard: true, codes: [27, 45, 127, 145] },
  { statusCode: 'invalid_bank_account', isHard: true, codes: [9, 10, 71, 101] },
  { statusCode: 'suspicious_activity', isHard: true, codes: [41, 141, 250, 251, 254] },
  // 222 and 318: the processor reports a duplicate of another operation.
  { statusCode: 'duplicate_attempt', codes: [222, 318] },
  { statusCode: 'exceeded_limit', codes: [47, 48, 49, 51, 55, 2200] },
  { statusCode: 'method_not_accepted', isHard: true, codes: [17, 28, 90, 113, 124, 289, 2007] },
  // The merchant accepts no bank accounts (18), or only bank accounts (56).
  { statusCode: MISCONFIGURED, scope: 'bank_account', codes: [18] },
  { statusCode: MISCONFIGURED, scope: 'card', codes: [56] },
  { statusCode: 'not_settled', codes: [50, 340] },
  { statusCode: DUPLICATE, codes: [11] },
  {
    statusCode: MISCONFIGURED,
    codes: [
      13,
      24,
      29,
      30,
      31,
      32,
      34,
      35,
      38,
      39,
      40,
      43,
      87,
      123,
      114,
      115,
      130,
      131,
      132,
      170,
      171,
      172,
      173,
      185,
      ...range(205, 208),
    ],
  },
  // The gateway, the processor or the connection between them failed. Authorized amounts are not settled.
  {
    statusCode: 'processing_error',
    codes: [
      ...range(19, 23),
      25,
      26,
      36,
      52,
      ...range(57, 63),
      ...range(120, 122),
      152,
      180,
      181,
      192,
      209,
      214,
      217,
      220,
      241,
      261,
      328,
      901,
    ],
  },
  // The referenced transaction is missing, or its state does not allow the operation.
  {
    statusCode: 'declined',
    codes: [15, 16, 53, 54, 64, 175, 219, 260, 304, 308, 319, 327, ...range(2008, 2009), 2103, 2106],
  },
  // A field of the request is missing, invalid, or not allowed for this account.
  {
    statusCode: 'declined',
    codes: [
      5,
      12,
      14,
      33,
      42,
      46,
      ...range(66, 70),
      ...range(72, 77),
      ...range(79, 86),
      88,
      89,
      ...range(91, 100),
      102,
      103,
      111,
      112,
      ...range(116, 119),
      125,
      126,
      ...range(153, 156),
      174,
      ...range(182, 184),
      186,
      187,
      195,
      204,
      215,
      216,
      218,
      221,
      ...range(225, 240),
      ...range(242, 248),
      262,
      265,
      270,
      271,
      ...range(280, 288),
      290,
      ...range(296, 298),
      ...range(300, 303),
      305,
      306,
      309,
      ...range(312, 314),
      320,
      325,
      326,
      ...range(330, 334),
      339,
      ...range(341, 344),
      350,
      351,
      ...range(355, 363),
      370,
      371,
      375,
      380,
      ...range(2000, 2006),
      ...range(2100, 2102),
      2104,
      2105,
      ...range(2107, 2109),
    ],
  },
]

const GROUP_OF: ReadonlyMap<string, ReasonGroup> = new Map(
  REASON_GROUPS.flatMap((group) => group.codes.map((code) => [String(code), group] as const)),
)

/** Meaning of a reason code; `declined` if the code is not documented. */
export function reasonGroup(code: string | undefined): ReasonGroup {
  return GROUP_OF.get(code ?? '') ?? { statusCode: 'declined', codes: [] }
}

/**
 * Reason codes of transactions that fraud filters hold for review: accepted for now, until a person at the merchant
 * decides.
 */
export const REVIEW_CODES: ReadonlySet<string> = new Set([
  '252',
  '253',
  '193',
  ...range(104, 110).map(String),
])

/** Reason code of a partial approval. */
export const PARTIAL_CODE = '295'
