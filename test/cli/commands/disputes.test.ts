import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { listOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('payctl disputes', () => {
    let place: Place
    let evidence: string
    before(async () => {
      place = await open.place()
      evidence = join(place.home, 'slip.pdf')
      await writeFile(evidence, '%PDF-1.7')
    })

    const json = async (...words: string[]): Promise<JsonObject> => {
      const { exitCode, stdout, stderr } = await payctl(place, [...words, '--json'])
      expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
      return objectOf(JSON.parse(stdout))
    }
    const disputed = async () => {
      const card = ['--card', '4242424242424242', '--expiry', '12/79']
      const { id } = await json('transactions', 'pay', '--amount', '29.99', ...card)
      const { dispute_id: dispute } = await json('simulate', 'chargeback', String(id))
      return { payment: String(id), dispute: String(dispute) }
    }

    it('submit files once, after a confirmation', async () => {
      const { dispute } = await disputed()
      const words = ['disputes', 'contest', dispute, '--evidence', evidence, '--text', 'Delivered']
      const asked = await payctl(place, words)
      expect(asked.exitCode).to.not.equal(0)
      expect(asked.stderr).to.include('Evidence is submitted once').and.include('--yes')
      expect(await json('disputes', 'show', dispute)).to.include({ stage: 'needs_response' })
      expect(await json(...words, '--yes')).to.include({ stage: 'under_review', answer: 'contest' })
      const again = await payctl(place, [...words, '--yes'])
      expect(again.stderr).to.include('Takes no answer: it is under_review')
    })

    it('take files of megabytes, and say which limit is exceeded', async () => {
      const { dispute } = await disputed()
      const large = join(place.home, 'large.pdf')
      await writeFile(large, Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(4_000_000)]))
      const words = ['disputes', 'contest', dispute, '--yes', '--evidence', large]
      const refused = await payctl(place, [...words, '--evidence', large])
      expect(refused.exitCode).to.equal(2)
      expect(refused.stderr).to.include(
        'The evidence has 8.0 MB: no processor takes more than 4.5 MB together',
      )
      expect(await json(...words)).to.include({ stage: 'under_review' })
    })

    it('are given up, listed and shown, and need no attention then', async () => {
      const { payment, dispute } = await disputed()
      const waiting = ['disputes', 'list', '--where', 'stage=needs_response']
      expect(listOf((await json(...waiting)).values).map((each) => objectOf(each).id)).to.include(dispute)
      const { stdout } = await payctl(place, ['status'])
      expect(stdout).to.include('waits for an answer').and.include(`payctl disputes show ${dispute}`)
      expect(await json('disputes', 'accept', dispute, '--yes')).to.include({
        stage: 'lost',
        answer: 'accept',
      })
      expect((await json('disputes', 'list', '--where', `transaction_id=${payment}`)).values).to.have.length(
        1,
      )
      expect((await payctl(place, ['status'])).stdout).not.to.include('waits for an answer')
    })

    it('are created, changed and closed only by banks', async () => {
      for (const verb of ['create', 'update', 'delete'])
        expect((await payctl(place, ['disputes', verb])).exitCode).to.not.equal(0)
      const missing = await payctl(place, [
        'disputes',
        'contest',
        'dsp_0V8c',
        '--evidence',
        'none.pdf',
        '--yes',
      ])
      expect(missing.stderr).to.include('none.pdf cannot be read')
    })
  })
})
