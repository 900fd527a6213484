import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { hasTerminal, Terminal } from '../support/terminal.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Failures of an installation: the output of npm, and the first line of the message. */
const FAILURES = [
  [
    'the network',
    'npm error code ENOTFOUND\nnpm error network\n',
    /^npm cannot reach its registry \(ENOTFOUND\)/,
  ],
  ['room on the disk', 'npm error code ENOSPC\nnpm error syscall write\n', /^The disk is full/],
  ['who knows what', 'npm error code EWHATEVER\nnpm error odd\n', /^npm ci failed\.[\s\S]*npm error odd$/],
] as const

describe('npm run quickstart', () => {
  let folder: string
  beforeEach(() => {
    folder = clone()
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('shows the way of the money in 80 columns if its output is a pipe', async () => {
    npmThat(folder, { writes: 'added 400 packages', installs: true })
    const { code, output, said } = await quickstart(folder)
    expect(said).to.match(/^Downloading packages …\n✓ Installed in \d+ s\nBuilding …\n✓ Built in \d+ s\n/)
    expect(code, said).to.equal(0)
    expect(output.split('\n').filter((line) => line.length > 80)).to.deep.equal([])
    expect(output).to.not.include('\x1b')
    expect(output).to.match(/\$ payctl transactions refund txn_\w+ --amount 10/)
    expect(output).to.match(/\bdeposit +18\.82 +1\.17 +processed/)
    expect(output).to.match(/whereabouts +It was paid with the deposit of/)
    expect(output).to.match(/\$ payctl verify\nAll [1-9][\d,]* facts examined; every rule of money holds\./)
    expect(output).to.match(/"amount":12\.5,"status":"processed"/)
    expect(output).to.include('\n# What to try next\n')
  })

  for (const [what, writes, message] of FAILURES)
    it(`reports in one message what is missing: ${what}`, async () => {
      npmThat(folder, { writes, installs: false })
      const { code, output, said } = await quickstart(folder)
      const [steps, ...rest] = said.split('\n\n')
      expect(steps).to.match(/^Downloading packages …/)
      expect(rest.join('\n\n').trimEnd()).to.match(message)
      expect(said.split('\n').filter((line) => line.length > 80)).to.deep.equal([])
      expect(output).to.equal('')
      expect(code).to.equal(1)
      expect(readFileSync(join(folder, '.payctl/quickstart/install.log'), 'utf8')).to.equal(writes)
    })

  it('reports the required Node before it uses it', async () => {
    const manifest = readFileSync(join(folder, 'package.json'), 'utf8')
    writeFileSync(join(folder, 'package.json'), manifest.replace(/"node": ">=[\d.]+"/, '"node": ">=99.1"'))
    const { code, output, said } = await quickstart(folder)
    expect(said).to.match(/^payctl needs Node 99\.1 or newer; this is \d+\.\d+\.\d+ \(.+\)\.\n.+\n$/)
    expect(output).to.equal('')
    expect(code).to.equal(1)
  })

  if (hasTerminal())
    it('shows progress in one line at a terminal', async () => {
      const gate = join(folder, 'gate')
      spawnSync('mkfifo', [gate])
      npmThat(folder, { writes: 'npm error code EWHATEVER', waitsFor: gate, installs: false })
      const terminal = await Terminal.open({ home: folder }, { columns: 50 })
      try {
        await terminal.enter(
          `clear; npm_execpath=${join(folder, 'npm-cli.js')} node ${join(folder, 'scripts/quickstart.mjs')}`,
        )
        const working = await terminal.sees(/Downloading .* · \d+ s$/)
        expect(working).to.match(/^\S Downloading packages · \d+ s$/)
        expect(working.length).to.be.below(50)
        await writeFile(gate, '')
        expect(await terminal.sees(/\$$/)).to.not.include('Downloading packages')
      } finally {
        terminal.close()
      }
    })
})

/** A clone of the current repository, without `node_modules`, and with a finished build. */
function clone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-quickstart-'))
  for (const path of [
    'package.json',
    'package-lock.json',
    'oclif.manifest.json',
    'bin',
    'docs/corner-shop.json',
    'scripts/node',
    'scripts/quickstart',
    'scripts/quickstart.mjs',
  ])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  for (const name of ['dist', 'prebuilds']) symlinkSync(join(ROOT, name), join(folder, name))
  writeFileSync(join(folder, 'scripts/build.mjs'), '')
  return folder
}

/** A substitute for npm that writes the given output, then installs the packages of this clone, or fails. */
function npmThat(
  folder: string,
  { writes, waitsFor, installs }: { writes: string; waitsFor?: string; installs: boolean },
): void {
  const lines = [
    "import { readFileSync, symlinkSync } from 'node:fs'",
    `process.stdout.write(${JSON.stringify(writes)})`,
    ...(waitsFor === undefined ? [] : [`readFileSync(${JSON.stringify(waitsFor)})`]),
    installs
      ? `symlinkSync(${JSON.stringify(join(ROOT, 'node_modules'))}, 'node_modules')`
      : 'process.exitCode = 1',
  ]
  writeFileSync(join(folder, 'npm-cli.js'), lines.join('\n'))
}

async function quickstart(folder: string) {
  const env = { ...process.env, npm_execpath: join(folder, 'npm-cli.js'), FORCE_COLOR: undefined }
  const child = spawn(process.execPath, [join(folder, 'scripts/quickstart.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, said, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ])
  return { code, output, said }
}
