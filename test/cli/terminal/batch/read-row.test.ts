import { expect } from 'chai'
import type { FileColumn } from '../../../../src/cli/terminal/batch/file-columns.js'
import { cellReader } from '../../../../src/cli/terminal/batch/read-row.js'
import type { FlagKind } from '../../../../src/schema/flag-description.js'

const column = (name: string, kind: FlagKind = 'text'): FileColumn => ({
  header: name,
  attribute: { path: name.split('.'), kind },
})

const reading = { implied: [], money: { decimal: '.', isSignless: false }, key: undefined } as const

const read = (columns: readonly FileColumn[], ...cells: string[]) =>
  cellReader(columns, reading)({ row: 2, cells })

describe('a row of cells', () => {
  const amount = column('amount', 'money')
  const order = column('order_number')
  const holder = column('payment_method.account_holder')
  const number = column('payment_method.card.card_number', 'secret')

  it('has its attributes in order of their names, for any order of columns', () => {
    const text =
      '{"amount":1.5,"order_number":"7","payment_method":{"account_holder":"Ada","card":{"card_number":"42"}}}'
    expect(JSON.stringify(read([amount, order, holder, number], '1.50', '7', 'Ada', '42').body)).to.equal(
      text,
    )
    expect(JSON.stringify(read([number, holder, order, amount], '42', 'Ada', '7', '1.50').body)).to.equal(
      text,
    )
  })

  it('reports errors in the order of its columns', () => {
    const { error } = read([order, column('surcharge', 'money'), amount], '7', 'x', 'y', 'beyond')
    expect(error?.split('; ').map((words) => words.split(' ')[0])).to.deep.equal([
      'Has',
      'surcharge:',
      'amount:',
    ])
  })

  it('lets the later of two columns win if one is free JSON that contains the other', () => {
    const attrs = column('attrs', 'json')
    const inside = column('attrs.note')
    expect(read([attrs, inside], '{"a":1}', 'here').body).to.deep.equal({ attrs: { a: 1, note: 'here' } })
    expect(read([inside, attrs], 'here', '{"a":1}').body).to.deep.equal({ attrs: { a: 1 } })
  })
})
