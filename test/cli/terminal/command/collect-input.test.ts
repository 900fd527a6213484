import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import {
  type CollectSources,
  collectInput,
  type GivenFlags,
} from '../../../../src/cli/terminal/command/collect-input.js'
import { UsageError } from '../../../../src/cli/terminal/failure/failure.js'
import { StandardInput } from '../../../../src/cli/terminal/input/stdin.js'
import { resources } from '../../../../src/resources/resource-table.js'
import { flagsOf } from '../../../../src/schema/flag-description.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { registryOf } from '../../../../src/schema/registry.js'
import { inHome } from '../../../support/home.js'
import { rejection } from '../../../support/rejection.js'

const descriptions = flagsOf(registryOf(resources), resources.payment_method, 'create')

const sources = (given: Partial<CollectSources> = {}, input = ''): CollectSources => ({
  environment: 'test',
  stdin: new StandardInput(() => Readable.from([input])),
  variables: {},
  warn: () => undefined,
  prompts: undefined,
  now: async () => Date.UTC(2030, 0, 15, 12),
  ...given,
})
const collected = (given: GivenFlags, data: JsonObject = {}, from = sources()) =>
  collectInput(descriptions, given, data, from)

describe('collecting the body of a request', () => {
  const number = 'card.card-number'

  it('applies flags over data and leaves the data object unchanged', async () => {
    const data: JsonObject = { type: 'card', card: { expiry: '01/30' } }
    const body = await collected({ 'card.expiry': '12/39', attrs: '{"a":1}' }, data)
    expect(body).to.deep.equal({ type: 'card', card: { expiry: '12/39' }, attrs: { a: 1 } })
    expect(data).to.deep.equal({ type: 'card', card: { expiry: '01/30' } })
  })

  it('reads the file at a path from a flag or a prompt', async () => {
    const attachment = flagsOf(registryOf(resources), resources.invoice_attachment, 'create')
    await inHome(async (home) => {
      const path = join(home, 'Terms.txt')
      await writeFile(path, 'As agreed.')
      const file = 'data:application/octet-stream;name=Terms.txt;base64,QXMgYWdyZWVkLg=='
      expect(await collectInput(attachment, { file: path }, {}, sources())).to.deep.equal({ file })
      const prompts = { value: async () => path, confirm: async () => true }
      const known = { invoice_id: 'inv_1' }
      expect(await collectInput(attachment, {}, known, sources({ prompts }))).to.deep.equal({
        file,
        ...known,
      })
      const missing = await rejection(collectInput(attachment, { file: join(home, 'none') }, {}, sources()))
      expect(missing.message).to.match(/^The file .*none cannot be read \(ENOENT\)$/)
      expect((await rejection(collectInput(attachment, {}, {}, sources()))).message).to.equal(
        'Missing --file',
      )
    })
  })

  it('computes relative dates from the clock of the environment', async () => {
    const dates = flagsOf(registryOf(resources), resources.billing_schedule, 'create')
    const given = { 'start-date': 'today', 'end-date': '2030-12-31' }
    const body = await collectInput(
      dates,
      { ...given, 'customer-id': 'acct_1', 'processing-id': 'acct_2' },
      {},
      sources(),
    )
    expect(body).to.include({ start_date: '2030-01-15', end_date: '2030-12-31' })
    const prompts = { value: async () => '2w', confirm: async () => true }
    const due = await collectInput(
      [{ name: 'due-date', path: ['due_date'], kind: 'date', required: true, doc: '', choices: [] }],
      {},
      {},
      sources({ prompts }),
    )
    expect(due).to.deep.equal({ due_date: '2030-01-01' })
  })

  it('reads secrets line by line from standard input', async () => {
    const given = { type: 'card', [number]: '-', 'card.card-code': '-' }
    const { card } = await collected(given, {}, sources({}, '4242424242424242\n 123 \n'))
    expect(card).to.deep.equal({ card_code: '123', card_number: '4242424242424242' })
    expect(await rejection(collected(given, {}, sources({}, '123')))).to.be.instanceOf(UsageError)
  })

  it('reads a secret from its variable only if another value of its group is given', async () => {
    const variables = { PAYCTL_CARD_NUMBER: '4242424242424242' }
    const started = await collected({ type: 'card', 'card.expiry': '12/39' }, {}, sources({ variables }))
    expect(started.card).to.deep.equal({ expiry: '12/39', card_number: '4242424242424242' })
    expect(await collected({ type: 'bank_account' }, {}, sources({ variables }))).to.deep.equal({
      type: 'bank_account',
    })
  })

  it('warns of a secret on the command line in test, but not of other sources', async () => {
    const warnings: string[] = []
    const warn = (text: string) => warnings.push(text)
    await collected({ type: 'card', [number]: '-' }, {}, sources({ warn }, '4242\n'))
    await collected({ type: 'card' }, {}, sources({ warn, variables: { PAYCTL_CARD_NUMBER: '4242' } }))
    expect(warnings).to.deep.equal([])
    await collected({ type: 'card', [number]: '4242' }, {}, sources({ warn }))
    expect(warnings).to.have.length(1)
    expect(warnings[0])
      .to.include('PAYCTL_CARD_NUMBER')
      .and.include('--card.card-number -')
      .and.not.include('4242')
  })

  it('refuses a secret on the command line in live', async () => {
    const live = sources({ environment: 'live' })
    expect(await rejection(collected({ type: 'card', [number]: '4242' }, {}, live))).to.be.instanceOf(
      UsageError,
    )
  })

  it('prompts for missing values if it can', async () => {
    const prompts = { value: async ({ name }: { name: string }) => (name === 'type' ? 'card' : name) }
    expect(await collected({}, {}, sources({ prompts }))).to.deep.equal({
      type: 'card',
      card: { card_number: 'card.card-number', expiry: 'card.expiry' },
    })
    const token = { type: 'card', gateway_token: { gateway: 'main', token: 'tok_1' } }
    expect(await collected({}, token, sources({ prompts })), 'a token replaces a number').to.deep.equal(token)
    expect(
      await collected({}, { type: 'card', card_number: '4', expiry: '12/39' }, sources({ prompts })),
    ).to.have.property('card_number', '4')
    expect(await rejection(collected({})))
      .to.be.instanceOf(UsageError)
      .with.property('message', 'Missing --type')
  })
})
