import { expect } from 'chai'
import { problemOf, shownWhileTyped } from '../../../../src/cli/terminal/prompts/typing.js'
import { resources } from '../../../../src/resources/resource-table.js'
import type { FlagDescription } from '../../../../src/schema/flag-description.js'
import { flagsOf } from '../../../../src/schema/flag-description.js'
import { registryOf } from '../../../../src/schema/registry.js'

const NOW = Date.UTC(2030, 0, 15)
const methods = flagsOf(registryOf(resources), resources.payment_method, 'create')

function declared(path: string, from: readonly FlagDescription[] = methods): FlagDescription {
  const found = from.find((description) => description.path.join('.') === path)
  if (!found) throw new Error(`${path} is not declared`)
  return found
}

function shown(path: string, typed: string, colour = false, isFinal = false): string | undefined {
  return shownWhileTyped(declared(path), { now: NOW, colour })?.(typed, { isFinal })
}

describe('typed input', () => {
  const number = 'card.card_number'

  it('shows a star for each digit of a card, then its brand and validity', () => {
    expect(shown(number, '')).to.equal('')
    expect(shown(number, '9')).to.equal('*')
    expect(shown(number, '34')).to.equal('American Express **')
    expect(shown(number, '4242 42')).to.equal('Visa *******')
    expect(shown(number, '378282246310005')).to.equal(`American Express, valid ${'*'.repeat(15)}`)
    expect(shown(number, '5555555555554445')).to.equal(`Mastercard, not a card number ${'*'.repeat(16)}`)
    expect(shown(number, '4242424242424242', true)).to.equal(
      `\u001b[32mVisa, valid\u001b[39m ${'*'.repeat(16)}`,
    )
    expect(shown(number, '4242 4242 4242 4242', false, true)).to.equal('Visa ending in 4242')
  })

  it('shows the validity of an expiry date once it is complete', () => {
    expect(shown('card.expiry', '12/2')).to.equal('12/2')
    expect(shown('card.expiry', '12/29')).to.equal('Expired 12/29')
    expect(shown('card.expiry', '01/30')).to.equal('valid 01/30')
    expect(shown('card.expiry', '13/35')).to.equal('Must be valid expiry, MM/YY 13/35')
    expect(shown('account_holder', 'Ada')).to.equal(undefined)
  })

  it('is checked against its declaration before it is sent', () => {
    const problem = (path: string, typed: string, optional = false) =>
      problemOf(declared(path), typed, { now: NOW, optional })
    expect(problem(number, '4242424242424241')).to.equal('Must be valid card number')
    expect(problem(number, ' ')).to.equal('Required')
    expect(problem('card.card_code', '', true)).to.equal(undefined)
    expect(problem('card.expiry', '12/29')).to.equal('Expired')
    expect(problem('card.expiry', '12/30')).to.equal(undefined)
    expect(problem('bank_account.routing_number', '122101707')).to.equal('Must be valid routing number')
    const amount = declared('amount', flagsOf(registryOf(resources), resources.transaction, 'create'))
    expect(problemOf(amount, '0', { now: NOW })).to.equal('Must be greater than 0')
    expect(problemOf(amount, '1,250.00', { now: NOW })).to.equal(undefined)
    expect(problemOf(amount, 'lots', { now: NOW })).to.equal(
      'Expected an amount such as 12.50, but received: lots',
    )
  })
})
