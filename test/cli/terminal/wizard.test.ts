import { expect } from 'chai'
import { continuation, typedFlags } from '../../../src/cli/terminal/command/continuation.js'
import { aligned } from '../../../src/cli/terminal/wizard/wizard-rows.js'
import { resources } from '../../../src/resources/resource-table.js'
import { flagsOf } from '../../../src/schema/flag-description.js'
import { registryOf } from '../../../src/schema/registry.js'

describe('the command that continues a wizard', () => {
  const methods = flagsOf(registryOf(resources), resources.payment_method, 'create')

  it('has the answers as flags, quoted for a shell, without secrets', () => {
    const body = {
      type: 'card',
      account_holder: "Ada O'Neill",
      keep_active: false,
      card: { card_number: '4242424242424242', expiry: '12/39', card_code: '123' },
      attrs: { a: 1 },
    }
    expect(continuation(['payment-methods', 'create', '--interactive'], methods, body)).to.equal(
      'payctl payment-methods create --interactive --type card --card.expiry 12/39 ' +
        `--account-holder 'Ada O'\\''Neill' --no-keep-active --attrs '{"a":1}'`,
    )
  })
})

describe('flags typed before a wizard', () => {
  const known = {
    authorize: { type: 'boolean' },
    color: { type: 'boolean' },
    output: { type: 'option', char: 'o' },
    interactive: { type: 'boolean', char: 'i' },
    amount: { type: 'option' },
    'key-file': { type: 'option' },
  }
  const again = (...argv: string[]) => typedFlags(argv, known, new Set(['interactive', 'amount']))

  it('are all repeated, in any notation', () => {
    expect(again('--authorize', '--no-color', '-o', 'json', '--key-file=a b')).to.deep.equal([
      '--authorize',
      '--no-color',
      '-o',
      'json',
      '--key-file=a b',
    ])
    expect(again('-ojson')).to.deep.equal(['-ojson'])
    expect(again('-io', 'json'), 'several in one word').to.deep.equal(['-o', 'json'])
  })

  it('are omitted with their values if an answer replaces them, and so are arguments', () => {
    expect(again('txn_1', '--amount', '--authorize', '-i', '--amount=5', '--', '--authorize')).to.deep.equal(
      [],
    )
    expect(again('--amount', '5', '--authorize', 'txn_1')).to.deep.equal(['--authorize'])
  })
})

describe('choices in a list', () => {
  const row = (name: string, amount: string) => [{ text: name }, { text: amount, align: 'right' as const }]

  it('are aligned, numbers at the right', () => {
    expect(aligned([row('tea', '5.00'), row('coffee', '12.50')], 80)).to.deep.equal([
      'tea      5.00',
      'coffee  12.50',
    ])
  })

  it('are cut to the width in texts, never in numbers', () => {
    expect(
      aligned([row('a very long description', '5.00'), row('日本語日本語日本語', '12.50')], 18),
    ).to.deep.equal(['a very lon…   5.00', '日本語日本…  12.50'])
  })

  it('may be empty', () => {
    expect(aligned([], 80)).to.deep.equal([])
  })
})
