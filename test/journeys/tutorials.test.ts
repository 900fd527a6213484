import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { expect } from 'chai'
import { payctl } from '../cli/commands/payctl.js'
import { onSqlite, type Place } from '../support/databases.js'
import { freePort } from '../support/postgres-server.js'
import { lasting, type TypedShellBlock, typedShell, withOutput } from '../support/typed-shell.js'

/** Pages whose commands all run, with the minimum number of blocks of each. */
const TUTORIALS = { 'first-payment-http': 10, 'receive-a-webhook': 8, 'batch-of-refunds': 8 }
const isWritten = process.env['PAYCTL_UPDATE_STORY'] !== undefined
const hasPython = spawnSync('python3', ['--version']).status === 0

onSqlite((open) => {
  describe('the tutorials of the documentation', () => {
    for (const [name, blocks] of Object.entries(TUTORIALS))
      it(`show in ${name}.md what its commands print (PAYCTL_UPDATE_STORY=1 renews it)`, async () => {
        const file = new URL(`../../docs/${name}.md`, import.meta.url)
        const page = await readFile(file, 'utf8')
        const typed = await typedTutorial(page, await open.place())
        expect(typed.length).to.be.at.least(blocks)
        if (isWritten) await writeFile(file, typed.reduce(withOutput, page))
        else
          for (const { script, expected, printed } of typed)
            expect(lasting(printed), script).to.equal(lasting(expected))
      })
  })
})

/** Runs the blocks of a page on free ports. Blocks for Python are skipped if it is not installed. */
async function typedTutorial(text: string, place: Place): Promise<readonly TypedShellBlock[]> {
  const page = hasPython ? text : text.replaceAll(/```sh\npython3 .*?```\n\n```text\n.*?```/gs, '')
  const [service, receiver] = [await freePort(), await freePort()]
  const words = new Map([
    ['127.0.0.1:4242', `127.0.0.1:${service}`],
    ['127.0.0.1:4280', `127.0.0.1:${receiver}`],
  ])
  const variables = { PAYCTL_PORT: String(service), PORT: String(receiver) }
  // On a busy machine, the service may need longer than the page says to pass over an event.
  const before = async (script: string) => {
    if (script.startsWith('payctl webhooks enable')) await passOverEvents(place)
  }
  const typed = []
  for await (const block of typedShell({ page, place, words, variables, before, isWritten }))
    typed.push(block)
  return typed
}

/** Ends when no event is left to pass over. */
async function passOverEvents(place: Place): Promise<void> {
  const { exitCode, stderr } = await payctl(place, ['webhooks', 'deliver', '--once'])
  expect(exitCode, stderr).to.equal(0)
}
