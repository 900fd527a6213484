import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { idOf, openCore } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { readTypedCode } from '../../support/read-qr-code.js'
import { payctl } from './payctl.js'

const RUN = fileURLToPath(new URL('../../../bin/run.js', import.meta.url))
const PUBLIC = { PAYCTL_PUBLIC_URL: 'https://pay.example.com' }
const BLOCKS = /[▀▄█]/
/** Escape sequence for black on white on a colour terminal. */
const INK = '\u001b[30;107m'

onDatabases((open) => {
  describe('the QR code of a payment link at the terminal', () => {
    let place: Place
    let link: string
    let create: readonly string[]
    before(async () => {
      const core = await openCore(open)
      place = core.place
      const processing_id = await makeProcessing(core)
      link = idOf(await core.ok('POST', '/payment_links', { amount: 5, processing_id }))
      create = ['payment-links', 'create', '--amount', '5', '--processing-id', processing_id]
    })

    /** Runs a command on a terminal that `script` emulates; returns its output. */
    const screen = async (
      words: readonly string[],
      columns = 80,
      variables: Record<string, string> = PUBLIC,
    ) => {
      const { home, databaseUrl } = place
      const env = {
        PATH: process.env['PATH'],
        TERM: 'xterm',
        PAYCTL_HOME: home,
        ...(databaseUrl !== undefined && { PAYCTL_DATABASE_URL: databaseUrl }),
        ...variables,
      }
      const command = `stty rows 24 cols ${columns}; '${process.execPath}' '${RUN}' ${words.join(' ')}`
      const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], { env })
      return stdout.replaceAll('\r\n', '\n')
    }
    const codeIn = (text: string) =>
      readTypedCode(
        text
          .split('\n')
          .filter((line) => line.startsWith(INK))
          .map((line) => line.slice(INK.length, line.lastIndexOf('\u001b'))),
      )

    it('is printed below a created or shown link, black on white, and encodes its address', async () => {
      const made = await screen(create)
      expect(codeIn(made)).to.equal(/https:\S+\/pay\/plnk_\w+/.exec(made)?.[0])
      expect(codeIn(await screen(['payment-links', 'get', link]))).to.equal(
        `https://pay.example.com/pay/${link}`,
      )
    })

    it('is omitted without room, for a loopback address, or outside of a terminal', async () => {
      const get = ['payment-links', 'get', link]
      expect(await screen(get, 30)).to.not.match(BLOCKS)
      expect(await screen(get, 80, {})).to.not.match(BLOCKS)
      expect(await screen([...get, '--no-qr'])).to.not.match(BLOCKS)
      expect(await screen([...get, '--json'])).to.not.match(BLOCKS)
      expect(await screen([...create, '--dry-run'])).to.not.match(BLOCKS)
      const { stdout, stderr } = await payctl(place, get, { variables: PUBLIC })
      expect(stdout + stderr).to.not.match(BLOCKS)
    })

    it('is always printed with --qr, separate from the output for a program', async () => {
      const { stdout } = await payctl(place, ['payment-links', 'get', link, '--qr'])
      const lines = stdout.split('\n').filter((line) => BLOCKS.test(line))
      expect(readTypedCode(lines, '█▀▄ ')).to.equal(`http://127.0.0.1:4242/pay/${link}`)
      const json = await payctl(place, ['payment-links', 'get', link, '--qr', '--json'])
      expect(JSON.parse(json.stdout)).to.include({ id: link })
      expect(json.stderr).to.match(BLOCKS)
      expect((await payctl(place, ['customers', 'get', 'acct_1', '--qr'])).stderr).to.include('--qr')
    })
  })
})
