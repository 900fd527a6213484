import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { PLACES, SHELLS } from '../../../src/cli/commands/autocomplete/autocomplete-command.js'
import { candidatesFor } from '../../../src/cli/commands/autocomplete/candidates.js'
import { COMMANDS } from '../../../src/cli/commands/command-table.js'
import { TOPICS } from '../../../src/cli/commands/topics.js'
import { lineWords } from '../../../src/cli/terminal/start/line-words.js'
import { inHome } from '../../support/home.js'
import { payctl } from './payctl.js'

const RUN = fileURLToPath(new URL('../../../bin/run.js', import.meta.url))

function completed(line: string): readonly string[] {
  const names = { aliases: { today: 'transactions list' }, profiles: ['work'], batches: ['rent-2030'] }
  return candidatesFor(COMMANDS, TOPICS, lineWords(line).slice(1), names).map(({ word }) => word)
}

describe('shell completion', () => {
  const cases: readonly (readonly [line: string, words: readonly string[]])[] = [
    ['payctl transac', ['transactions', 'transaction-ledgers']],
    ['payctl transactions re', ['refund', 'review']],
    ['payctl autocomplete w', []],
    ['payctl autocomplete ', ['bash', 'zsh', 'fish']],
    ['payctl transactions list --ou', ['--output-file', '--output']],
    ['payctl transactions list --output ', ['table', 'json', 'ndjson', 'csv']],
    ['payctl transactions list -o c', ['csv']],
    ['payctl transactions list --output=n', ['--output=ndjson']],
    ['payctl transactions list --where st', ['status=', 'status_code=', 'status_message=']],
    ['payctl transactions list --where status=pro', ['status=processing', 'status=processed']],
    ["payctl transactions list --where 'status=voided|d", ['status=voided|declined']],
    ["payctl transactions list --where 'status=!v", ['status=!voided']],
    ['payctl transactions list --where payment_method[card][e', ['payment_method[card][expiry]=']],
    ['payctl transactions list --order-by amount,-fe', ['amount,-fee']],
    ['payctl transactions list --sum f', ['fee']],
    ['payctl transactions get txn_1 --fields id,led', ['id,ledger']],
    ['payctl transactions list --created-after ', ['today', 'yesterday', '2d', '2w']],
    ['payctl accounts create --type c', ['customer']],
    ['payctl accounts create --name --', []],
    ['payctl keys list --where mana', ['manage=']],
    ['payctl nothing here ', []],
    ['payctl transactions list --where payment_method.card.e', ['payment_method.card.expiry=']],
    ['payctl transactions list --fields id,payment_method.card.e', ['id,payment_method.card.expiry']],
    ['payctl txn voi', ['void']],
    ['payctl transaction vo', ['void']],
    ['payctl batch run rows.csv --as ref', ['refund']],
    ['payctl config set o', ['output']],
    ['payctl config set output n', ['ndjson']],
    ['payctl config get --json saf', ['safe-csv']],
    ['payctl help transactions voi', ['void']],
    ['payctl help exit', ['exit-codes']],
    ['payctl tod', ['today']],
    ['payctl today --sor', []],
    ['payctl today --created-af', ['--created-after']],
    ['payctl config unset alias.t', ['alias.today']],
    ['payctl profiles use wo', ['work']],
    ['payctl profiles remove wo', ['work']],
    ['payctl status --profile w', ['work']],
    ['payctl status --profile=w', ['--profile=work']],
    ['payctl batch resume rent', ['rent-2030']],
    ['payctl batch run rows.csv --as payment --batch-id rent', ['rent-2030']],
  ]
  for (const [line, words] of cases)
    it(`completes ${line}`, () => expect(completed(line)).to.have.members([...words]))

  it('offers a flag once, unless the flag is repeatable', () => {
    expect(completed('payctl transactions list --all --al')).to.deep.equal([])
    expect(completed('payctl transactions list --where a=1 --wher')).to.deep.equal(['--where'])
  })

  it('parses a line like a shell', () => {
    expect(lineWords(`payctl  a 'b c' "d\\"e" f\\ g 'h`)).to.deep.equal([
      'payctl',
      'a',
      'b c',
      'd"e',
      'f g',
      'h',
    ])
    expect(lineWords('payctl ')).to.deep.equal(['payctl', ''])
  })

  it('works in bash', async () => {
    const script = `
      payctl() { "$NODE" "$RUN" "$@"; }
      source <(payctl autocomplete bash)
      COMP_LINE='payctl transactions list --where status=p'
      COMP_POINT=\${#COMP_LINE}
      _payctl
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const env = { PATH: process.env['PATH'], NODE: process.execPath, RUN, PAYCTL_HOME: '/nowhere' }
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
    expect(stdout).to.equal('processing\nprocessed\n')
  })

  it('is installed by the command in its help, even if the folder does not exist yet', () =>
    inHome(async (home) => {
      const env = {
        PATH: process.env['PATH'],
        NODE: process.execPath,
        RUN,
        PAYCTL_HOME: '/nowhere',
        HOME: home,
      }
      // Arrays of bash begin at 0, those of zsh at 1.
      const begin = `payctl() { "$NODE" "$RUN" "$@"; }; fpath=('' "$HOME/site functions");`
      for (const shell of SHELLS)
        await promisify(execFile)('bash', ['-c', `set -e; ${begin} ${PLACES[shell]}`], { env })
      const files = [
        '.local/share/bash-completion/completions/payctl',
        'site functions/_payctl',
        '.config/fish/completions/payctl.fish',
      ]
      for (const file of files)
        expect(readFileSync(join(home, file), 'utf8'), file).to.include('payctl autocomplete words --shell')
    }))

  it('names the shells and the command that installs the script if no shell is given', async () => {
    const { exitCode, stderr } = await payctl({ home: '/nowhere' }, ['autocomplete'])
    expect({ exitCode, stderr }).to.deep.equal({
      exitCode: 2,
      stderr: `error: Missing SHELL: bash, zsh or fish; ${PLACES.bash}\n`,
    })
  })

  it('completes the aliases, profiles and batches of a home, and reads only the names of batches', () =>
    inHome(async (home) => {
      const words = async (line: string) =>
        (await payctl({ home }, ['autocomplete', 'words', '--', line])).stdout.trim().split('\n')
      await payctl({ home }, ['config', 'set', 'alias.today', 'transactions list'])
      await payctl({ home }, ['profiles', 'add', 'work', '--home', home])
      expect(await words('payctl tod')).to.deep.equal(['today'])
      expect(await words('payctl status --profile w')).to.deep.equal(['work'])
      expect(await words('payctl batch resume ')).to.deep.equal([''])
      expect(readdirSync(home)).to.deep.equal(['settings'])
      const file = join(home, 'names.csv')
      writeFileSync(file, 'name\nAda\n')
      const { exitCode, stderr } = await payctl({ home }, ['batch', 'run', file, '--as', 'customer'])
      expect(exitCode, stderr).to.equal(0)
      expect(await words('payctl batch resume n')).to.deep.equal(['names.csv'])
    }))

  it('gives zsh and fish a description of each word', async () => {
    const words = (shell: string) => ['autocomplete', 'words', '--shell', shell, '--', 'transactions', 'voi']
    const [zsh, fish] = await Promise.all(
      ['zsh', 'fish'].map((shell) => payctl({ home: '/nowhere' }, words(shell))),
    )
    expect(zsh?.stdout).to.equal('void:cancel a payment before it settles\n')
    expect(fish?.stdout).to.equal('void\tcancel a payment before it settles\n')
  })

  it('has a script for each shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { exitCode, stdout, stderr } = await payctl({ home: '/nowhere' }, ['autocomplete', shell])
      expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
      expect(stdout).to.include('payctl autocomplete words --shell')
    }
    expect(await payctl({ home: '/nowhere' }, ['autocomplete', 'tcsh'])).to.include({
      exitCode: 2,
      stdout: '',
    })
  })
})
