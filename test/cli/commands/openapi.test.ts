import { expect } from 'chai'
import { document } from '../../support/contract/document.js'
import { payctl } from './payctl.js'

describe('payctl openapi', () => {
  it('prints the document without a database', async () => {
    const { exitCode, stdout, stderr } = await payctl({ home: '/nowhere' }, ['openapi'])
    expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
    expect(JSON.parse(stdout)).to.deep.equal(document)
  })
})
