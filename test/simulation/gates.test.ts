import { expect } from 'chai'
import { gateReport } from '../../simulation/gates/gate-report.js'
import { gateSteps } from '../../simulation/gates/gate-steps.js'

describe('the gates of a release', () => {
  it('have one step for each seed of each run at full size', () => {
    const words = gateSteps(1).map((step) => step.words.join(' '))
    expect(new Set(words).size).to.equal(words.length)
    expect(words.filter((each) => each.startsWith('crash --kills 100 --database postgres'))).to.have.length(
      10,
    )
    expect(words.filter((each) => each.startsWith('fuzz --requests 20000'))).to.have.length(30)
  })

  it('try each run once before any run a second time', () => {
    const rounds = gateSteps(1).map(({ round }) => round)
    expect(rounds).to.deep.equal(rounds.toSorted((one, other) => one - other))
    const runs = new Set(gateSteps(1).map(({ words }) => words.join(' ').replace(/ --seed \d+$/, '')))
    expect(rounds.filter((round) => round === 1)).to.have.length(runs.size)
  })

  it('have at least one step for each run at a reduced size', () => {
    const gates = (share: number) => new Set(gateSteps(share).map(({ gate }) => gate))
    expect([...gates(0.01)]).to.deep.equal([...gates(1)])
  })

  it('report steps that ran, those that failed, and how many are left', () => {
    const steps = [
      { gate: 'crash', round: 1, words: ['crash', '--seed', '1'] },
      { gate: 'fuzz', round: 1, words: ['fuzz', '--seed', '1'] },
      { gate: 'races', round: 1, words: ['races', '--seed', '1'] },
    ]
    const machine = '2 × a processor'
    const results = new Map([
      ['crash --seed 1', { words: 'crash --seed 1', machine, exitCode: 0, seconds: 1_800, said: 'a | b' }],
      ['fuzz --seed 1', { words: 'fuzz --seed 1', machine, exitCode: 1, seconds: 1_800, said: 'FOUND' }],
    ])
    const report = gateReport('abc', steps, results)
    expect(report).to.include('Of 3 steps,\n2 ran, in 1.0 hours altogether, and 1 of them failed')
    expect(report).to.include('`abc`').and.include(machine)
    expect(report).to.include('| `crash --seed 1` | passed | 1800 s | a \\| b |')
    expect(report).to.include('| `fuzz --seed 1` | **failed** (1) | 1800 s | FOUND |')
  })
})
