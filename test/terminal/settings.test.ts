import { expect } from 'chai'
import { platformHome } from '../../src/terminal/home.js'
import { settingsOf } from '../../src/terminal/settings.js'

describe('settings', () => {
  it('are kept in the folder of the platform', () => {
    expect(platformHome('linux', {}, '/home/ada')).to.equal('/home/ada/.local/share/payctl')
    expect(platformHome('linux', { XDG_DATA_HOME: '/data' }, '/home/ada')).to.equal('/data/payctl')
    expect(platformHome('darwin', {}, '/Users/ada')).to.equal('/Users/ada/Library/Application Support/payctl')
    expect(platformHome('win32', { LOCALAPPDATA: '/local' }, '/ada')).to.equal('/local/payctl')
  })

  it('come from flags, then variables, then defaults, and say so', () => {
    const from = (given: boolean, variables: Record<string, string>) =>
      settingsOf('test', given, variables).environment.from
    expect(from(true, { PAYCTL_ENV: 'live' })).to.equal('--env')
    expect(from(false, { PAYCTL_ENV: 'test' })).to.equal('PAYCTL_ENV')
    expect(from(false, {})).to.equal('default')
    expect(settingsOf('test', false, { PAYCTL_HOME: '/h' }).home).to.deep.equal({
      value: '/h',
      from: 'PAYCTL_HOME',
    })
  })
})
