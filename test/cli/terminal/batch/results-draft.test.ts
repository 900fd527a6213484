import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import process from 'node:process'
import { expect } from 'chai'
import { type Folder, openFolder } from '../../../support/batch-file.js'

const SOURCE = import.meta.resolve('../../../../src/cli/terminal/batch/results-draft.js')

/** Writes a draft in a process whose files are limited to 4,096 bytes, like on a full disk. */
const WRITING = `
  const [, path, count] = process.argv
  const { ResultsDraft } = await import('${SOURCE}')
  const draft = new ResultsDraft(path, 'payment,amount\\n')
  try {
    draft.add('txn_1,1234.50\\n'.repeat(Number(count)), Number(count))
    draft.complete()
    draft.publish()
  } catch (error) {
    draft.drop()
    console.log(error.message)
  }
`

describe('a result file', () => {
  let folder: Folder
  before(() => {
    folder = openFolder()
  })
  after(() => folder.remove())

  const write = (name: string, rows: number) => {
    const limited = 'ulimit -f 8 && exec "$@"'
    const node = [process.execPath, '--input-type=module', '-e', WRITING]
    const words = ['-c', limited, 'sh', ...node, folder.path(name), String(rows)]
    const { stdout, stderr } = spawnSync('sh', words, { encoding: 'utf8' })
    return stdout + stderr
  }

  it('does not exist if only a part of it could be written', () => {
    expect(write('whole.csv', 100)).to.equal('')
    expect(write('cut.csv', 1_000)).to.equal(
      `The file ${folder.path('cut.csv')} could not be written (EFBIG); payctl batch results has the outcome of each row\n`,
    )
    expect(readdirSync(folder.path('.'))).to.deep.equal(['whole.csv'])
  })
})
