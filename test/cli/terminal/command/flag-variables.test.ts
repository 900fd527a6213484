import { expect } from 'chai'
import { COMMANDS } from '../../../../src/cli/commands/command-table.js'
import { ownVariable, variableOfFlag } from '../../../../src/cli/terminal/command/flag-variables.js'

describe('environment variables of flags', () => {
  it('are named after their command', () => {
    expect(variableOfFlag('transactions:list', 'order-by')).to.equal('PAYCTL_TRANSACTIONS_LIST_ORDER_BY')
    expect(variableOfFlag('transactions:create', 'payment-method.type')).to.equal(
      'PAYCTL_TRANSACTIONS_CREATE_PAYMENT_METHOD_TYPE',
    )
  })

  it('are unique to one flag', () => {
    const all = Object.entries(COMMANDS).flatMap(([id, { flags, baseFlags }]) => {
      const names = Object.keys({ ...flags, ...baseFlags })
      return names.map((name) => variableOfFlag(id, name))
    })
    const own = Object.values(COMMANDS).flatMap(({ flags, baseFlags }) =>
      Object.values({ ...flags, ...baseFlags }).flatMap((flag) => ownVariable(flag) ?? []),
    )
    expect(all.length).to.be.above(1000)
    const names = [...all, ...new Set(own)]
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([])
  })
})
