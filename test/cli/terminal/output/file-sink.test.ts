import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { UsageError } from '../../../../src/cli/terminal/failure/failure.js'
import { fileSink } from '../../../../src/cli/terminal/output/file-sink.js'
import { rejection } from '../../../support/rejection.js'

describe('a file being written', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'payctl-file-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('appears when complete, readable by its owner only', async () => {
    const path = join(folder, 'a.csv')
    const sink = await fileSink(path, [])
    await sink.write('a\n')
    expect(await readdir(folder)).to.not.include('a.csv')
    await sink.write('b\n')
    await sink.close(true)
    expect(await readFile(path, 'utf8')).to.equal('a\nb\n')
    expect(await readdir(folder)).to.deep.equal(['a.csv'])
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
  })

  it('leaves the previous content if it was interrupted', async () => {
    const path = join(folder, 'a.csv')
    await writeFile(path, 'before')
    const sink = await fileSink(path, [])
    await sink.write('after')
    await sink.close(false)
    expect(await readFile(path, 'utf8')).to.equal('before')
    expect(await readdir(folder)).to.deep.equal(['a.csv'])
  })

  it('replaces the target of a symbolic link', async () => {
    await writeFile(join(folder, 'a.csv'), 'before')
    await symlink('a.csv', join(folder, 'link.csv'))
    const sink = await fileSink(join(folder, 'link.csv'), [])
    await sink.write('after')
    await sink.close(true)
    expect(await readFile(join(folder, 'a.csv'), 'utf8')).to.equal('after')
  })

  it('reports why it cannot be written', async () => {
    const error = await rejection(fileSink(join(folder, 'nowhere', 'a.csv'), []))
    expect(error).to.be.instanceOf(UsageError)
    expect(error).to.have.property(
      'message',
      `The file ${join(folder, 'nowhere', 'a.csv')} cannot be written (ENOENT)`,
    )
  })

  it('leaves no draft behind if it cannot be renamed', async () => {
    const sink = await fileSink(`${join(folder, 'a.csv')}/`, [])
    await sink.write('x')
    expect(await rejection(sink.close(true))).to.be.instanceOf(UsageError)
    expect(await readdir(folder)).to.deep.equal([])
  })

  it('writes into a device without replacing it', async () => {
    const sink = await fileSink('/dev/null', [])
    await sink.write('x')
    await sink.close(true)
    expect((await stat('/dev/null')).isCharacterDevice()).to.equal(true)
  })
})
