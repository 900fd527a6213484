import type { ConsolePage } from '../console-page.js'
import type { ConsoleWrite } from '../write/console-write.js'
import { writePage } from '../write/write-page.js'
import { decideAlikePage } from './decide-alike.js'
import { depositPage, depositsPage } from './deposit-pages.js'
import { acceptWrite, contestWrite } from './dispute-answers.js'
import { disputePage, disputesPage, disputeWrite } from './dispute-pages.js'
import { exceptionPage, exceptionsPage } from './exception-pages.js'
import { resolveWrite } from './exception-write.js'
import { firstPaymentPage } from './first-payment-page.js'
import { captureWrite, refundWrite, voidWrite } from './payment-writes.js'
import { resendWrite } from './resend-write.js'
import { transactionPage } from './transaction-page.js'

/** Writes that the pages of payments, disputes and exceptions offer. */
export const MONEY_WRITES: readonly ConsoleWrite[] = [
  refundWrite,
  captureWrite,
  voidWrite,
  disputeWrite,
  acceptWrite,
  contestWrite,
  resendWrite,
  resolveWrite,
]

/** Pages about payments, deposits, disputes and exceptions. */
export const MONEY_PAGES: readonly ConsolePage[] = [
  ...MONEY_WRITES.map(writePage),
  transactionPage,
  exceptionsPage,
  decideAlikePage,
  exceptionPage,
  firstPaymentPage,
  depositsPage,
  depositPage,
  disputesPage,
  disputePage,
]
