import { string as argument } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import type { SimulatedEvent } from '../../../resources/admin/simulate.js'
import { resources } from '../../../resources/resource-table.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { moneyFlag } from '../../terminal/command/resource-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOfAnswer } from '../../terminal/input/shape.js'

const { simulate } = adminOperations
const shape = shapeOfAnswer(registry, simulate)

const amount = moneyFlag({
  summary: 'amount that the bank takes; the whole payment with its convenience fee unless given',
})
const code = string({
  summary: 'return code, R01 to R33; R01 (insufficient balance) unless given',
  helpValue: '<code>',
})

interface SimulatedWords {
  readonly summary: string
  readonly description?: string
  readonly flags?: { readonly amount: typeof amount; readonly code?: typeof code }
  /** Flags in the usage, and in a second example. */
  readonly usage?: string
  readonly example?: string
}

/** Every event of a bank, in words. */
const EVENTS: Readonly<Record<SimulatedEvent, SimulatedWords>> = {
  inquiry: {
    summary: "simulate an inquiry of the payer's bank about a payment, in the test environment",
    description: 'No money moves, and the payment stays refundable. A chargeback may follow.',
  },
  chargeback: {
    summary: "simulate a chargeback of a payment by the payer's bank, in the test environment",
    flags: { amount },
    usage: '--amount <amount>',
    example: '--amount 12.50',
  },
  return: {
    summary: 'simulate the return of a payment from a bank account, in the test environment',
    flags: { amount, code },
    usage: '--code <code>',
    example: '--code R08',
  },
  dispute_won: { summary: 'reverse the newest chargeback of a payment, in the test environment' },
  dispute_lost: {
    summary: 'decide the newest dispute of a payment against the merchant, in the test environment',
  },
}

/** `payctl simulate <event> PAYMENT` */
export function simulateCommand(event: SimulatedEvent) {
  const { summary, description, flags: own, usage, example } = EVENTS[event]
  const line = `simulate ${event.replaceAll('_', '-')}`
  const sample = `payctl ${line} txn_0V8c…`
  return class Simulate extends PayctlCommand {
    static override summary = summary
    static override description = description
    static override usage = `${line} PAYMENT ${usage === undefined ? '' : `[${usage}] `}[flags]`
    static override examples = example === undefined ? [sample] : [sample, `${sample} ${example}`]
    static override args = {
      payment: argument({ required: true, description: 'id of the payment, or its ref_number' }),
    }
    static override flags = { ...own, ...writeFlags }

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Simulate)
      const transaction_id = await this.idOf(flags, resources.transaction, args.payment)
      const { amount, code } = flags
      const body = {
        event,
        transaction_id,
        ...(amount !== undefined && { amount }),
        ...(code !== undefined && { code }),
      }
      await this.send(flags, { method: simulate.method, path: `/${simulate.path}`, body, shape })
    }
  }
}
