import { integer } from '@oclif/core/flags'
import { PayctlCommand } from '../../terminal/command/command.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { isObject } from '../../terminal/input/body.js'
import { pathOf } from '../../terminal/input/shape.js'
import { findTransactions } from '../wizards/find-words.js'
import { transactionShape } from './transaction-target.js'

const COLUMNS = [
  'id',
  'type',
  'created_at',
  'amount',
  'status',
  'payment_method[description]',
  'customer[name]',
  'order_number',
]
const shape = { ...transactionShape, columns: COLUMNS.map(pathOf) }

export class Find extends PayctlCommand {
  static override summary =
    'find transactions by known details: amount, last four digits, day, name, order number'
  static override description =
    'The words may have any order, and all must match: an amount, the last four digits of a card or account, a day ' +
    '(UTC), a part of a name, email, description or order number, a reference or an id.'
  static override usage = 'transactions find WORD… [flags]'
  static override examples = [
    'payctl transactions find 31.50 4242 yesterday',
    'payctl transactions find lovelace 2d',
    'payctl transactions find 1001',
  ]
  static override strict = false
  static override flags = {
    limit: integer({
      min: 1,
      max: 1000,
      default: 50,
      summary: 'maximum number of transactions',
      helpValue: '<number>',
    }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Find)
    const words = argv.flatMap((word) => String(word).split(/\s+/)).filter((word) => word !== '')
    if (words.length === 0)
      throw new UsageError('What is known of it? payctl transactions find 31.50 4242 yesterday')
    const fields = flags.fields ?? flags.columns
    const values = await findTransactions(words, flags.limit, {
      now: await this.now(flags),
      find: async (query) => {
        const shown: [string, string] = [
          'fields',
          fields === undefined ? '*,customer' : `${fields},id,created_at`,
        ]
        const { body } = await this.ask(flags, {
          method: 'GET',
          path: '/transactions',
          query: [...query, shown],
        })
        return Array.isArray(body.values) ? body.values.filter(isObject) : []
      },
    })
    await this.print(flags, { object: 'list', values: [...values] }, shape)
  }
}
