import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { payctl } from './payctl.js'

describe('payctl with an invalid command line', () => {
  let home: string
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'payctl-usage-'))
  })
  after(() => rmSync(home, { recursive: true }))

  const cases: readonly (readonly [words: string, line: string])[] = [
    [
      'transactions frobnicate',
      'There is no command transactions frobnicate; see payctl transactions --help',
    ],
    [
      'transactions --limit 3',
      'Expected a command of transactions before --limit; did you mean payctl transactions list --limit?',
    ],
    ['batch --env live', 'Expected a command of batch before --env; see payctl batch --help'],
    ['transactoins lits', 'There is no command transactoins lits; did you mean payctl transactions list?'],
    [
      'transactins get txn_1',
      'There is no command transactins get txn_1; did you mean payctl transactions get?',
    ],
    [
      'pay --amount 5',
      'There is no command pay; did you mean payctl invoices pay or payctl transactions pay?',
    ],
    ['transactions list --limt 5', 'Nonexistent flag: --limt; did you mean --limit?'],
    ['transactions list --frobnicate', 'Nonexistent flag: --frobnicate'],
    [
      'transactions get',
      'Which transaction? payctl transactions get txn_0V8c…; payctl transactions list shows them',
    ],
    ['transactions list --env staging', 'Expected --env=staging to be one of: test, live'],
    [
      'transactions pay --amount 12.505',
      '--amount: Expected an amount with at most 2 decimals, but received: 12.505',
    ],
    [
      'transactions refund txn_1 --amount lots',
      '--amount: Expected an amount such as 12.50, but received: lots',
    ],
    ['transactions pay --payment-method pm_1', 'Missing --amount'],
    [
      'config set output',
      'Missing VALUE: the value; for an alias, the words that it stands for; payctl config set utc yes',
    ],
    [
      'api GET',
      "Missing PATH: path and query, as over HTTP; payctl api get '/transactions?fields=*,ledger&limit=5'",
    ],
    ['customers create', 'Missing --name'],
    ['customers update acct_1', 'Nothing to change: give a flag for an attribute, or --data'],
    ['customers create --data nowhere.json', 'The file nowhere.json cannot be read (ENOENT)'],
    [
      'api post /customers --data {"name":',
      'Expected a file or - as --data, but received JSON itself: pipe it to --data -',
    ],
    ['customers list --limit 0', '--limit: Expected an integer greater than or equal to 1 but received: 0'],
    [
      'customers list --offset -1',
      '--offset: Expected an integer greater than or equal to 0 but received: -1',
    ],
    [
      'transactions void',
      'Which payment? payctl transactions void txn_…; payctl transactions list --where funding_status=pending shows them, payctl transactions find 31.50 4242 finds one',
    ],
    ['transactions list --where amount', 'Expected a filter such as amount=>100, but received: amount'],
    [
      'customers create --name Ada --idempotency-key ordré-1',
      '--idempotency-key: Expected 1 to 255 printable ASCII characters',
    ],
    [
      'webhooks verify-signature --env live --id a --timestamp 1 --signature v1,a --body a --secret whsec_a',
      'Expected --secret - in the live environment: secrets are read from standard input or prompted for',
    ],
    [
      'webhooks listen --env live --forward-to http://127.0.0.1:1 --secret whsec_a',
      'Expected --secret - in the live environment: secrets are read from standard input or prompted for',
    ],
    [
      'oauth token --env live --refresh-token refresh_token_a',
      'Expected --refresh-token - in the live environment: secrets are read from standard input or prompted for',
    ],
    [
      'legal-entities create --env live --ein 123456789',
      'Expected --ein - in the live environment: secrets are read from standard input or prompted for',
    ],
  ]
  for (const [words, line] of cases) {
    it(`prints "${line}" for: ${words}`, async () => {
      const { exitCode, stdout, stderr } = await payctl({ home }, words.split(' '))
      expect({ exitCode, stdout, stderr }).to.deep.equal({
        exitCode: 2,
        stdout: '',
        stderr: `error: ${line}\n`,
      })
    })
  }

  for (const [words, text] of [
    ['operators token nobody@example.com', 'There is no operator nobody@example.com'],
    ['gateways test nowhere', 'There is no gateway nowhere; payctl gateways list shows them'],
  ] as const)
    it(`exits 5 if the named object does not exist: ${words}`, async () => {
      const { exitCode, stderr } = await payctl({ home }, words.split(' '))
      expect([exitCode, stderr]).to.deep.equal([5, `error: ${text}\n`])
    })

  for (const words of [
    ['customers', 'get', ''],
    ['customers', 'update', ' ', '--name', 'Ada'],
    ['customers', 'delete', '', '--yes'],
    ['transactions', 'explain', ''],
    ['invoices', 'show', ''],
    ['webhooks', 'enable', ''],
  ])
    it(`treats an empty id as missing, like an empty variable of a script: ${words.join(' ')}`, async () => {
      const { exitCode, stdout, stderr } = await payctl({ home }, words)
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
      expect(stderr).to.include(`error: Missing the id: it is empty (one of ${words[0]} is meant)`)
    })

  it('treats an empty idempotency key as missing, like an empty variable of a script', async () => {
    const words = ['customers', 'create', '--name', 'Ada', '--idempotency-key', '']
    const { exitCode, stdout, stderr } = await payctl({ home }, words)
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
    expect(stderr).to.include('--idempotency-key: Expected 1 to 255 printable')
  })

  for (const flag of ['order-by', 'group-by', 'fields', 'columns', 'sum'])
    it(`names the flag of a list command that has no value: --${flag}`, async () => {
      const { exitCode, stderr } = await payctl({ home }, ['customers', 'list', `--${flag}`, ''])
      expect([exitCode, stderr]).to.deep.equal([
        2,
        `error: --${flag} is empty: it takes the names of attributes\n`,
      ])
    })

  for (const words of ['transactions get 💥', 'transactions refund 💥 --amount 1'])
    it(`names an invalid id as typed: ${words}`, async () => {
      const { exitCode, stderr } = await payctl({ home }, words.split(' '))
      expect([exitCode, stderr]).to.deep.equal([5, 'error: There is no transaction 💥\n'])
    })

  it('reports that there is no webhook whose attempts could be shown', async () => {
    const { exitCode, stderr } = await payctl({ home }, ['webhooks', 'logs', 'wh_none'])
    expect([exitCode, stderr]).to.deep.equal([5, 'error: There is no webhook wh_none\n'])
  })

  it('reports that there is no payment to refund, with or without an amount', async () => {
    for (const amount of [[], ['--amount', '1']]) {
      const { exitCode, stderr } = await payctl({ home }, ['transactions', 'refund', 'txn_none', ...amount])
      expect([exitCode, stderr]).to.deep.equal([5, 'error: There is no transaction txn_none\n'])
    }
  })

  it('names every missing flag', async () => {
    const { stderr } = await payctl({ home }, ['transactions', 'create'])
    expect(stderr).to.equal('error: Missing --type\nerror: Missing --amount\n')
  })

  it('prints one JSON object with --json', async () => {
    const { exitCode, stdout, stderr } = await payctl({ home }, [
      'transactions',
      'list',
      '--frobnicate',
      '-o',
      'json',
    ])
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
    expect(JSON.parse(stderr)).to.deep.equal({
      object: 'error',
      error_type: 'Usage',
      error_description: 'Nonexistent flag: --frobnicate',
      details: {},
      exit_code: 2,
    })
  })

  it('explains what to do if the home is unusable', async () => {
    const { exitCode, stdout, stderr } = await payctl({ home: '/dev/null/home' }, ['transactions', 'list'])
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 1, stdout: '' })
    expect(stderr).to.match(/^error: .*\/dev\/null\/home.*\n$/)
  })
})

describe('a refused value', () => {
  let home: string
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'payctl-flags-'))
  })
  after(() => rmSync(home, { recursive: true }))

  const guess = 'Unknown attribute; did you mean'
  const cases: readonly (readonly [words: string, line: string])[] = [
    ['vault purge --older-than soon', '--older-than: Must be a duration, such as 400d, 13mo or 2y'],
    ['keys create --processing acct_1', '--processing: Not found'],
    ['keys create --expires-at soon', '--expires-at: Must be valid datetime, YYYY-MM-DD HH:MM:SS'],
    ['customers create --name Ada --email ada', '--email: Must be valid email'],
    [
      'transactions list --created-after soon',
      '--created-after: Must be valid datetime, YYYY-MM-DD HH:MM:SS',
    ],
    ['transactions list --where amount=lots', '--where amount: Must be valid number'],
    ['transactions list --where amuont=5', `--where amuont: ${guess} amount?`],
    ['transactions list -w customer[nmae]=Ada', `--where customer.nmae: ${guess} customer.name?`],
    ['transactions list --fields id,amuont', `--fields amuont: ${guess} amount?`],
    ['transactions list --columns amuont', `--columns amuont: ${guess} amount?`],
    ['transactions list --order-by=-amuont', `--order-by amuont: ${guess} amount?`],
    ['transactions list --order-by sum(', '--order-by sum(: Unknown function'],
    ['transactions list --sum amuont', `--sum amuont: ${guess} amount?`],
    ['transactions list --count --group-by stauts', `--group-by stauts: ${guess} status?`],
    ['console --as ada', '--as: Must be valid email'],
    ['clock advance --no-input 5', '5: Must be a duration, such as 1mo, 2w, 3d, 12h or 1y'],
    ['webhooks replay log_none', 'log_none: Not found'],
    ['simulate return txn_none --code R01', 'txn_none: Not found'],
  ]
  for (const [words, line] of cases)
    it(`is named by its flag, or by itself if it is an argument: ${words}`, async () => {
      const { exitCode, stdout, stderr } = await payctl({ home }, words.split(' '))
      expect({ exitCode, stdout, stderr }).to.deep.equal({
        exitCode: 3,
        stdout: '',
        stderr: `error: ${line}\n`,
      })
    })
})
