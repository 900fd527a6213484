import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'chai'
import { ROOT_GROUPS } from '../../src/cli/terminal/help/root-groups.js'

const MANIFEST: { commands: Record<string, { hidden?: boolean; flags: Record<string, unknown> }> } =
  JSON.parse(readFileSync('oclif.manifest.json', 'utf8'))

describe('man pages', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'payctl-man-'))
    const program = `import('./scripts/man-pages.mjs').then(({ writeManPages }) => writeManPages('./dist/payctl.cjs', process.argv[1]))`
    const { status, stderr } = spawnSync(process.execPath, ['-e', program, folder], { encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
  })
  after(() => rmSync(folder, { recursive: true }))

  const page = (name: string) => readFileSync(join(folder, `${name}.1`), 'utf8')

  it('exist for each topic and for all together, as listed in the package and built', () => {
    const ids = Object.entries(MANIFEST.commands).filter(([, { hidden }]) => !hidden)
    const topics = new Set(ids.map(([id]) => `payctl-${id.split(':')[0]}.1`))
    const names = readdirSync(folder).sort()
    expect(names).to.deep.equal(['payctl.1', ...topics].sort())
    const { man } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(man).to.deep.equal(names.map((name) => `./dist/man/${name}`))
    for (const name of names)
      expect(readFileSync(join('dist/man', name), 'utf8'), name).to.equal(
        readFileSync(join(folder, name), 'utf8'),
      )
  })

  it('contain every command of a topic, and every flag of it', () => {
    for (const [id, { hidden, flags }] of Object.entries(MANIFEST.commands)) {
      if (hidden) continue
      const text = page(`payctl-${id.split(':')[0]}`)
      expect(text).to.contain(`.SS payctl ${id.replaceAll(':', ' ').replaceAll('-', '\\-')}`)
      for (const [name, flag] of Object.entries(flags)) {
        const isGlobal =
          typeof flag === 'object' && flag !== null && 'helpGroup' in flag && flag.helpGroup === 'GLOBAL'
        const shown = `\\fB\\-\\-${name.replaceAll('-', '\\-')}\\fR`
        expect(isGlobal ? page('payctl') : text, `${id} --${name}`).to.contain(shown)
      }
    }
  })

  it('begin with common tasks, like payctl --help', () => {
    const heads = page('payctl').match(/(?<=^\.SH ).+$/gm)
    expect(heads?.slice(3, 9)).to.deep.equal([...ROOT_GROUPS.map(({ head }) => head), 'ALL COMMANDS'])
  })

  it('consist of plain requests in ASCII', () => {
    for (const name of readdirSync(folder)) {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n')
      expect(lines[0]).to.match(/^\.TH PAYCTL[A-Z-]* 1 "" "payctl [\d.]+" "payctl"$/)
      for (const line of lines) {
        expect(line).to.match(/^[\x20-\x7e]*$/)
        if (line.startsWith('.')) expect(line).to.match(/^\.(TH|SH|SS|TP|PP|RS 4|RE|nf|fi|nh|ad l)\b/)
      }
    }
  })
})
