import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { onSqlite } from '../../support/databases.js'
import { freePort } from '../../support/postgres-server.js'
import { chromium, launch, patient } from '../chromium.js'
import { typeCard } from './component-world.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Commands of the page, and what they print. */
const BLOCK = /```sh\n(?<script>.*?)```\n\n```text\n(?<printed>.*?)```/gs

/** Ends what a block prints. */
const END = '\u001e'

if (chromium !== undefined)
  onSqlite((open) => {
    describe('the page about components', () => {
      it('leads from an empty home to a captured payment when its commands are typed', async () => {
        const page = await readFile(join(ROOT, 'docs/components.md'), 'utf8')
        const blocks = [...page.matchAll(BLOCK)].map(({ groups = {} }) => groups)
        expect(blocks).to.have.length(5)
        const [service, shop] = [await freePort(), await freePort()]
        const here = (text = '') =>
          text.replaceAll('127.0.0.1:4242', `127.0.0.1:${service}`).replaceAll(':4280', `:${shop}`)
        const shell = await shellIn(await open.place(), { service, shop })
        try {
          for (const { script = '', printed } of blocks) {
            if (script.includes('transactions list')) await buyCoffee(`http://127.0.0.1:${shop}/`)
            const output = await shell.type(here(script), here(printed))
            expect(timeless(output), script).to.equal(timeless(here(printed)))
          }
        } finally {
          await shell.end()
        }
      })
    })
  })

/** Orders one coffee and pays, as the page says. */
async function buyCoffee(address: string): Promise<void> {
  const browser = await launch()
  const page = patient(await browser.newPage())
  await page.goto(address)
  await page.click('button:has-text("Order")')
  await typeCard(page)
  await page.click('button:has-text("Pay")')
  await page.locator('#thanks:has-text("is paid")').waitFor()
  await browser.close()
}

/** Without the hashes of the script, which change with it. */
function timeless(text: string): string {
  return text.replace(/Payload\.[0-9a-f]+\.js/, 'Payload.….js').replace(/sha384-[^"]+/, 'sha384-…')
}

/** A shell in the clone, with `payctl` on its path and a home of its own. */
async function shellIn({ home }: { home: string }, ports: { service: number; shop: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'payctl-page-'))
  const command = join(folder, 'payctl')
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/bin/run.js' "$@"\n`)
  await chmod(command, 0o755)
  await writeFile(join(folder, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
  const shell = spawn('bash', ['-eu'], {
    cwd: ROOT,
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      PAYCTL_HOME: home,
      PAYCTL_PORT: String(ports.service),
      SHOP_PORT: String(ports.shop),
    },
  })
  shell.stdin.write('exec 2>&1\n')
  let printed = ''
  let look = (): void => undefined
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    look()
  })
  const closed = once(shell, 'close')
  return {
    /** Types commands; resolves to what was printed when they have ended and as much has come as is expected. */
    async type(script: string, expected: string): Promise<string> {
      printed = ''
      const whole = new Promise<void>((resolve) => {
        look = () => {
          if (printed.includes(END) && printed.length > expected.length) resolve()
        }
      })
      shell.stdin.write(`${script}\nprintf '${END}'\n`)
      const ended = closed.then(() => Promise.reject(new Error(`The shell has ended: ${printed}`)))
      await Promise.race([whole, ended])
      return printed.replace(END, '')
    },
    async end(): Promise<void> {
      shell.stdin.end('kill $(jobs -p); wait\n')
      await closed
      await rm(folder, { recursive: true })
    },
  }
}
