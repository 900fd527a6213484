import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { expect } from 'chai'

const MANIFEST = new URL('../../../oclif.manifest.json', import.meta.url)
const SNAPSHOT = new URL('./commands.snapshot.json', import.meta.url)

interface Command {
  readonly args: Readonly<Record<string, unknown>>
  readonly flags: Readonly<Record<string, { readonly char?: string }>>
}

/** Every command with its arguments and flags, so that none disappears unnoticed. */
describe('the commands', () => {
  it('are those of the snapshot (PAYCTL_UPDATE_SNAPSHOT=1 writes it anew)', async () => {
    const manifest: { commands: Record<string, Command> } = JSON.parse(await readFile(MANIFEST, 'utf8'))
    const found = Object.entries(manifest.commands).map(([id, { args, flags }]) => [
      `${id.replaceAll(':', ' ')} ${Object.keys(args)
        .map((name) => name.toUpperCase())
        .join(' ')}`.trim(),
      Object.entries(flags).map(([name, { char }]) => (char ? `-${char} --${name}` : `--${name}`)),
    ])
    const commands = Object.fromEntries(found)
    if (process.env['PAYCTL_UPDATE_SNAPSHOT'])
      await writeFile(SNAPSHOT, `${JSON.stringify(commands, null, 2)}\n`)
    expect(commands).to.deep.equal(JSON.parse(await readFile(SNAPSHOT, 'utf8')))
  })
})
