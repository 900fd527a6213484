import { expect } from 'chai'
import { callerOf } from '../../../src/http/api/rate-limits.js'

describe('the caller of a rate limit', () => {
  const CALLERS: [address: string, caller: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ]
  for (const [address, caller] of CALLERS) {
    it(`is ${caller || 'empty'} for ${address || 'no address'}`, () => {
      expect(callerOf(address)).to.equal(caller)
    })
  }
})
