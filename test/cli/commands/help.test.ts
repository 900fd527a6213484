import { readdir, readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { registry } from '../../../src/cli/terminal/declarations/declared-registry.js'
import { ROOT_GROUPS } from '../../../src/cli/terminal/help/root-groups.js'
import { wherePair } from '../../../src/cli/terminal/input/query-text.js'
import { shapeOf } from '../../../src/cli/terminal/input/shape.js'
import { parseQuery } from '../../../src/engine/core/query/parse-query.js'
import type { QueryPair } from '../../../src/engine/core/request/request.js'
import { simulator } from '../../../src/gateways/simulator/simulator.js'
import { Model } from '../../../src/model/model.js'
import { resources } from '../../../src/resources/resource-table.js'
import { MANIFEST } from './invocations.js'
import { payctl } from './payctl.js'

const transaction = new Model(registry).get('transaction')
const SRC = new URL('../../../src/', import.meta.url)
const shape = shapeOf(registry, resources.transaction)

describe('payctl help', () => {
  const run = (...words: string[]) => payctl({ home: '/nowhere' }, words)

  it('begins with common tasks, in at most 40 lines, each with an existing command', async () => {
    const { exitCode, stdout, stderr } = await run('--help')
    expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
    expect(stdout.match(/^[A-Z ]+$/gm)).to.deep.equal([
      'TAKE PAYMENTS',
      'BILL',
      'LOOK',
      'RUN IT',
      'SET UP',
      'MORE',
    ])
    expect(stdout.trimEnd().split('\n').length).to.be.at.most(40)
    const ids = Object.keys(MANIFEST)
    for (const { commands, also } of ROOT_GROUPS) {
      expect(ids).to.include.members(Object.keys(commands))
      for (const name of also)
        expect(
          ids.some((id) => id.split(':')[0] === name),
          name,
        ).to.equal(true)
    }
  })

  it('shows every topic and command with --help-all', async () => {
    const { exitCode, stdout, stderr } = await run('--help-all')
    expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
    const shown = new Set([...stdout.matchAll(/^ {2}([\w-]+)(?= )/gm)].map(([, name]) => name))
    const visible = Object.entries(MANIFEST).filter(([, { hidden }]) => !hidden)
    expect(visible.map(([id]) => id.split(':')[0]).filter((name) => !shown.has(name))).to.deep.equal([])
    expect(stdout)
      .to.match(/^ {2}transactions +A payment, refund/m)
      .and.match(/^ {2}serve +serve/m)
  })

  it('shows the examples of a command first', async () => {
    const { stdout } = await run('transactions', 'refund', '--help')
    const headers = stdout.match(/^[A-Z]+(?= ?[A-Z]*$)/gm)
    expect(headers?.slice(0, 4)).to.deep.equal(['EXAMPLES', 'USAGE', 'ARGUMENTS', 'FLAGS'])
    expect(await run('help', 'transactions', 'refund')).to.include({ stdout, exitCode: 0 })
  })

  it('shows the exit codes', async () => {
    const { stdout } = await run('help', 'exit-codes')
    expect(stdout.split('\n').map((line) => line.trim().split('  ')[0])).to.deep.equal([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      '130',
      '',
    ])
  })

  it('shows every environment variable', async () => {
    const { stdout } = await run('help', 'environment', '-o', 'csv')
    const shown = stdout.split('\n').map((line) => line.split(',')[0])
    const sources = (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith('.ts'))
    const texts = await Promise.all(sources.map((name) => readFile(new URL(name, SRC), 'utf8')))
    const read = texts.flatMap((text) => text.match(/\bPAYCTL_[A-Z_]*[A-Z](?![A-Z_…]|\w)/g) ?? [])
    const explained = [
      'PAYCTL_TRANSACTIONS_LIST_LIMIT',
      'PAYCTL_TRANSACTIONS_LIST_ORDER_BY',
      'PAYCTL_ACCOUNT_NUMBER',
      'PAYCTL_EIN',
      // The name is ours, but oclif reads the variable.
      'PAYCTL_DISABLE_THEME',
    ]
    expect(
      [...new Set(read)].filter((name) => !shown.includes(name) && !explained.includes(name)),
    ).to.deep.equal([])
    expect((await run('help', 'environment')).stdout).to.include('PAYCTL_TRANSACTIONS_LIST_LIMIT')
  })

  it('shows the test cards, each with the outcome that the service returns', async () => {
    const { stdout } = await run(
      'help',
      'test-cards',
      '--jq',
      '.values[] | [.card_number, .answer] | join(" ")',
    )
    const cards = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
    expect(cards).to.have.lengthOf(14)
    const expiry = '12/39'
    for (const [number = '', answer = ''] of cards) {
      const method = { type: 'card', number, expiry } as const
      const operation = { type: 'sale', reference: number, amount: 500, currency: 'USD', method } as const
      const outcome = simulator.perform(operation)
      expect(outcome.result === 'declined' ? outcome.statusCode : outcome.result, number).to.equal(answer)
    }
    expect((await run('help', 'test-cards')).stdout).to.include('4111111111119904  insufficient_bal')
  })

  it('shows filters that work', async () => {
    const { stdout, exitCode } = await run('help', 'filters')
    expect(exitCode).to.equal(0)
    const filters = [...stdout.matchAll(/--where ('[^']+'|\S+)/g)].map(([, text = '']) =>
      text.replaceAll("'", ''),
    )
    expect(filters.length).to.be.above(8)
    const wrong = filters.filter((text) => !isFilter(text))
    expect(wrong).to.deep.equal([])
  })
})

function isFilter(text: string): boolean {
  const [name, value] = wherePair(text, shape, 0)
  const query: QueryPair[] = name.includes('(')
    ? [
        [name, value],
        ['group_by', 'status'],
      ]
    : [[name, value]]
  return parseQuery(transaction, query, true).conditions.length <= 1
}
