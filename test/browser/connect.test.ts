import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { objectOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { card } from '../support/examples.js'
import { type HttpService, httpService } from '../support/http.js'
import {
  exchange,
  type OauthWorld,
  oauthWorld,
  PASSWORD,
  postForm,
  refresh,
  tokensOf,
} from '../support/oauth.js'
import { findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'
import { type ThirdParty, thirdParty } from './third-party.js'

const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true }

/**
 * Grants access like a person in a browser: an application's page is on one origin, and the pages of the
 * service are on another.
 */
if (chromium !== undefined) {
  describe('granting access in a browser @rest', () => {
    onSqlite((open) => {
      const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
      let service: HttpService
      let world: OauthWorld
      let browser: Browser
      let party: ThirdParty
      let options: Record<string, unknown>
      let clientKey: string
      const complaints: string[] = []

      before(async () => {
        service = await httpService(await open.place(), { clock })
        world = await oauthWorld(service)
        party = await thirdParty(() => ({ script: `${service.address}/connect.js`, clientKey, options }))
        browser = await openBrowser()
      })
      after(async () => {
        await closePages(browser)
        await party.close()
        await service.stop()
      })
      beforeEach(() => {
        clientKey = world.clientKey
        options = { org_id: world.clientId, scope: 'processing' }
      })

      const visit = async (more: Parameters<Browser['newContext']>[0] = {}): Promise<Page> => {
        const context = patient(await browser.newContext(more))
        context.on('weberror', (error) => complaints.push(error.error().message))
        context.on('console', (message) => {
          // Pages answer intended refusals with a status from 400 to 409, which the browser logs as an error.
          if (message.type() === 'error' && !message.text().includes('status of 40'))
            complaints.push(message.text())
        })
        const page = await context.newPage()
        await page.goto(party.origin)
        return page
      }
      const openPopUp = async (page: Page): Promise<Page> => {
        const [popUp] = await Promise.all([page.waitForEvent('popup'), page.click('#connect')])
        await popUp.waitForLoadState()
        return popUp
      }
      const signIn = async (page: Page, password = PASSWORD) => {
        await page.fill('[name=email]', world.email)
        await page.fill('[name=password]', password)
        await page.click('button:has-text("Sign in")')
      }
      const heard = async (page: Page, event: string): Promise<Record<string, unknown>> => {
        await page.waitForFunction(`heard.some(({ type }) => type === '${event}')`)
        return objectOf(JSON.parse(await page.evaluate('JSON.stringify(heard[heard.length - 1])')))
      }
      const statusOf = async (token: string, method: string, path: string, body?: object) =>
        (await service.ask(token, method, path, body && JSON.parse(JSON.stringify(body)))).status

      it('gives a code to the page that opened the pop-up, and its tokens reach only the ticked accounts', async () => {
        const page = await visit()
        const popUp = await openPopUp(page)
        expect(await findingsOf(popUp)).to.deep.equal([])
        await signIn(popUp, 'not the password')
        expect(await popUp.innerText('[role=alert]')).to.include(
          'The e-mail address or the password is wrong',
        )
        expect(await findingsOf(popUp)).to.deep.equal([])
        await signIn(popUp)
        await popUp.waitForSelector('text=Harbour')
        expect(await findingsOf(popUp)).to.deep.equal([])
        await popUp.click('button:has-text("Allow")')
        expect(await popUp.innerText('[role=alert]')).to.include('at least one account')
        await popUp.check(`[name="account:${world.accounts[1]}"]`)
        await Promise.all([popUp.waitForEvent('close'), popUp.click('button:has-text("Allow")')])

        const { code } = await heard(page, 'connected')
        const first = tokensOf(await exchange(world, String(code)))
        expect(await statusOf(first.access, 'GET', `/processing_accounts/${world.accounts[1]}`)).to.equal(200)
        const payment = {
          type: 'payment',
          amount: 1,
          payment_method: card(),
          processing_id: world.accounts[0],
        }
        expect(await statusOf(first.access, 'POST', '/transactions', payment)).to.equal(403)
        expect(await statusOf(first.access, 'GET', '/admin/keys')).to.equal(403)

        const second = tokensOf(await refresh(world, first.refresh))
        expect(await statusOf(second.access, 'GET', '/transactions')).to.equal(200)
        const { address } = world.service
        expect((await postForm(address, '/oauth/revoke', { token: second.refresh })).status).to.equal(200)
        expect((await refresh(world, first.refresh)).body.error).to.equal('invalid_grant')
        expect(await statusOf(second.access, 'GET', '/transactions')).to.equal(401)
      })

      it('works by redirects on a phone, with a code that is valid once and for a minute', async () => {
        const redirect = `${party.origin}/done`
        options = { ...options, scope: 'org', type: 'redirect', redirect_uri: redirect, state: 'a b' }
        const page = await visit(PHONE)
        await page.click('#connect')
        await signIn(page)
        await page.waitForSelector('text=All processing accounts of Corner Books')
        expect(await findingsOf(page)).to.deep.equal([])
        await page.click('button:has-text("Allow")')
        await page.waitForURL(`${redirect}?*`)
        const { code, state } = Object.fromEntries(new URL(page.url()).searchParams)
        expect(state).to.equal('a b')
        const { access } = tokensOf(await exchange(world, code ?? '', { redirect_uri: redirect }))
        expect((await exchange(world, code ?? '')).body.error).to.equal('invalid_grant')
        expect(await statusOf(access, 'GET', '/transactions')).to.equal(401)

        // The user is still signed in, so the page only asks for consent.
        await page.click('#connect')
        await page.click('button:has-text("Allow")')
        await page.waitForURL(`${redirect}?*`)
        clock.ahead += 61_000
        const late = new URL(page.url()).searchParams.get('code') ?? ''
        expect((await exchange(world, late)).body.error).to.equal('invalid_grant')
      })

      it('works by redirects without JavaScript', async () => {
        const query = new URLSearchParams({
          client_key: clientKey,
          org_id: world.clientId,
          scope: 'org',
          state: 's',
          redirect_uri: `${party.origin}/done`,
        })
        const page = await visit({ javaScriptEnabled: false })
        await page.goto(`${service.address}/oauth/authorize?${query}`)
        await signIn(page)
        await page.click('button:has-text("Allow")')
        await page.waitForURL(`${party.origin}/done?code=*`)
      })

      it('can be denied in the pop-up and after a redirect', async () => {
        const page = await visit()
        const popUp = await openPopUp(page)
        await signIn(popUp)
        await Promise.all([popUp.waitForEvent('close'), popUp.click('button:has-text("Deny")')])
        expect(await heard(page, 'denied')).to.include({ error: 'access_denied' })
        options = { ...options, type: 'redirect', redirect_uri: `${party.origin}/done` }
        const other = await visit()
        await other.click('#connect')
        await other.click('button:has-text("Cancel")')
        await other.waitForURL(`${party.origin}/done?error=access_denied*`)
      })

      it('reports to the page that the pop-up was closed', async () => {
        const page = await visit()
        const popUp = await openPopUp(page)
        await popUp.close()
        expect(await heard(page, 'closed')).to.deep.equal({ type: 'closed' })
      })

      it('lets a new user sign up, with a business and its first account', async () => {
        const page = await visit()
        const popUp = await openPopUp(page)
        await popUp.click('text=Sign up your business')
        await popUp.waitForSelector('[name=business]')
        expect(await findingsOf(popUp)).to.deep.equal([])
        await popUp.click('button:has-text("Sign up")')
        expect(await popUp.innerText('#field-business-error')).to.equal('Required')
        expect(await findingsOf(popUp)).to.deep.equal([])
        const said = {
          business: 'New & Sons',
          industry: 'toys',
          email: 'new@example.com',
          password: 'a long sentence',
        }
        for (const [name, value] of Object.entries(said)) await popUp.fill(`[name=${name}]`, value)
        await popUp.click('button:has-text("Sign up")')
        await popUp.waitForSelector('text=Signed in as new@example.com of New & Sons')
        await Promise.all([popUp.waitForEvent('close'), popUp.click('button:has-text("Allow")')])
        const { code } = await heard(page, 'connected')
        const { access } = tokensOf(await exchange(world, String(code)))
        const { body } = await service.ask(access, 'GET', '/processing_accounts?fields=name,status')
        expect(body.values).to.deep.equal([{ name: 'New & Sons', status: 'incomplete' }])
      })

      it('offers no sign-up if the application excludes it', async () => {
        options = { ...options, auth_only: true }
        const popUp = await openPopUp(await visit())
        expect(await popUp.innerText('main')).to.not.include('Sign up')
        await popUp.goto(`${popUp.url()}&view=sign-up`)
        expect(await popUp.locator('[name=business]').count()).to.equal(0)
      })

      it('is refused with a wrong client key, another organization or a foreign redirect address', async () => {
        const told = async () => {
          const popUp = await openPopUp(await visit())
          expect(await findingsOf(popUp)).to.deep.equal([])
          return await popUp.innerText('[role=alert]')
        }
        clientKey = `${world.clientKey.slice(0, -4)}aaaa`
        expect(await told()).to.include('client key is unknown')
        clientKey = world.key
        expect(await told()).to.include('is not a client key')
        clientKey = world.clientKey
        options = { ...options, org_id: world.orgId }
        expect(await told()).to.include('has not registered the origin')
        options = { ...options, type: 'redirect', redirect_uri: 'https://evil.example/done' }
        const page = await visit()
        await page.click('#connect')
        await page.waitForSelector('[role=alert]')
        expect(await page.innerText('[role=alert]')).to.include('https://evil.example/done')
        expect(page.url()).to.include(`${service.address}/oauth/authorize`)
      })

      it('violates no content security policy', () => {
        expect(complaints).to.deep.equal([])
      })
    })
  })
}
