import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { shapeless } from '../../terminal/input/shape.js'

const TEXT = `Filters are those of the interface: attribute, =, and what it is compared with.

  --where status=processed                     equal
  --where 'status=!voided'                     not equal
  --where 'amount=>100'                        > >= < <= of numbers, amounts,
                                               dates and texts
  --where 'status=authorized|processed'        any of them
  --where 'amount=>100' --where 'amount=<200'  both: every filter must hold
  --where 'description=?*book*'                contains, whatever the case
  --where 'description='                       is empty
  --where payment_method.card.card_brand=visa  of a nested object, also written
                                               payment_method[card][card_brand]
  --where 'count(*)=>1' --group-by type        of groups: count(*), sum(a),
                                               avg(a), min(a), max(a)

Dates are 2026-01-31, '2026-01-31 12:00:00' (UTC), today, yesterday, 2d or 2w
(so long ago):

  --where 'created_at=>2d'
  --created-after 2w --created-before today    at that date or later, and before
                                               that one; also --due-after etc.

What is shown:

  --fields '*,ledger'      attributes to request; * is every default one
  --columns id,amount      columns of a table or CSV, in this order
  --order-by -amount       largest first; several with commas
  --limit 20, --all        100 by default; --after continues where a list ended
  --count, --sum amount    figures instead of objects; with --group-by status
                           one line for each group

In a shell | < > ! * have to be quoted. Attributes with their operators and
values: payctl <topic> list --help-all, as in payctl transactions list
--help-all; and by the Tab key (payctl autocomplete --help).
`

export class HelpFilters extends PayctlCommand {
  static override summary = 'how lists are filtered, ordered and added up'
  static override usage = 'help filters'
  static override examples = ["payctl transactions list --where 'amount=>100' --created-after 2w --count"]
  protected override readonly underProfile = false

  async run(): Promise<void> {
    const { flags } = await this.parse(HelpFilters)
    if (formatOf(flags) === 'table') await this.page(flags, TEXT)
    else await this.print(flags, { text: TEXT }, shapeless)
  }
}
