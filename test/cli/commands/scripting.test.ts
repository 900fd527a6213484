import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { onEachDatabase } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'

const PAGE = new URL('../../../docs/scripting.md', import.meta.url)
const RUN = fileURLToPath(new URL('../../../bin/run.js', import.meta.url))

/** A shell block, with the output that the page shows for it. */
const BLOCK = /```sh\n(?<script>.*?)```(?:\n\n```text\n(?<printed>.*?)```)?/gs
const ID = /\b[a-z]+_[0-9A-Za-z]{22}\b/g

onEachDatabase((open) => {
  describe('the documentation page about scripts', () => {
    it('shows commands with their real output', async () => {
      const blocks = [...(await readFile(PAGE, 'utf8')).matchAll(BLOCK)].map(({ groups = {} }) => groups)
      expect(blocks.length).to.be.at.least(8)
      const place = await open.place()
      const folder = await mkdtemp(join(tmpdir(), 'payctl-scripts-'))
      await mkdir(join(folder, 'bin'))
      await writeFile(join(folder, 'bin', 'payctl'), `#!/bin/sh\nexec '${process.execPath}' '${RUN}' "$@"\n`)
      await chmod(join(folder, 'bin', 'payctl'), 0o755)
      await mkdir(join(folder, 'work'))
      await writeFile(join(folder, 'work', 'shop.json'), JSON.stringify(processingAccount()))

      const script = blocks.map(({ script: text = '' }) => `${text}printf '\\036'\n`).join('')
      const env = {
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        PAYCTL_HOME: place.home,
        ...(place.databaseUrl !== undefined && { PAYCTL_DATABASE_URL: place.databaseUrl }),
      }
      const words = ['-euo', 'pipefail', '-c', `exec 2>&1\n${script}`]
      const { stdout } = await promisify(execFile)('bash', words, { env, cwd: join(folder, 'work') })
      const printed = stdout.split('\u001e').slice(0, -1)
      expect(printed.map(withoutIds)).to.deep.equal(blocks.map(({ printed: text = '' }) => withoutIds(text)))
      await rm(folder, { recursive: true })
    })
  })
})

function withoutIds(text: string): string {
  return text.replaceAll(ID, 'ID')
}
