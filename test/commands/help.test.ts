import { expect } from 'chai'
import { payctl } from './payctl.js'

describe('payctl help', () => {
  const run = (...words: string[]) => payctl({ home: '/nowhere' }, words)

  it('shows topics and commands', async () => {
    const { exitCode, stdout, stderr } = await run('--help')
    expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
    expect(stdout)
      .to.match(/^ {2}transactions +A payment, refund/m)
      .and.match(/^ {2}serve +serve/m)
  })

  it('shows a command with its examples first', async () => {
    const { stdout } = await run('transactions', 'refund', '--help')
    const headers = stdout.match(/^[A-Z]+(?= ?[A-Z]*$)/gm)
    expect(headers?.slice(0, 4)).to.deep.equal(['EXAMPLES', 'USAGE', 'ARGUMENTS', 'FLAGS'])
    expect(await run('help', 'transactions', 'refund')).to.include({ stdout, exitCode: 0 })
  })

  it('shows the exit codes', async () => {
    const { stdout } = await run('help', 'exit-codes')
    expect(stdout.split('\n').map((line) => line.trim().split('  ')[0])).to.deep.equal([
      ...['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '130'],
      '',
    ])
  })
})
