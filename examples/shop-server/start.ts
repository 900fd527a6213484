/**
 * `npm run example plain-shop` or `react-shop`: the shop on 127.0.0.1. It uses the service in `SHOP_SERVICE`
 * with the key in `SHOP_KEY`. Without these it starts a service in the test environment, whose home is
 * deleted at the end.
 */
import process from 'node:process'
import { type OwnService, ownService } from './own-service.js'
import { MAKE_KEY, type PaymentService, paymentService } from './payment-service.js'
import { type ShopName, serveShop } from './serve-shop.js'
import { StartProblem } from './start-problem.js'

const NAMES: readonly ShopName[] = ['plain-shop', 'react-shop']
const PORT = 4280

const name = NAMES.find((each) => each === process.argv[2])
if (name === undefined) {
  process.stderr.write(`Which shop? npm run example ${NAMES.join(', or npm run example ')}\n`)
  process.exit(2)
}
try {
  await start(name)
} catch (error) {
  if (!(error instanceof StartProblem)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function start(name: ShopName): Promise<void> {
  const port = Number(process.env['SHOP_PORT'] ?? PORT)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new StartProblem(`SHOP_PORT is no port: set it to a number below 65536, or unset it`)
  const service: PaymentService & Partial<OwnService> = givenService() ?? (await ownService())
  const stopOwn = async () => await service.stop?.()
  const shop = await serveShop({ name, service, port }).catch(async (error) => {
    await stopOwn()
    throw error
  })
  process.stdout.write(`The shop is open at ${shop.origin}/\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void shop.close().then(stopOwn)
    })
}

/** The service that the variables name; undefined without variables. Throws a `StartProblem` for wrong ones. */
function givenService(): PaymentService | undefined {
  const { SHOP_SERVICE: address, SHOP_KEY: key } = process.env
  if (address === undefined && key === undefined) return undefined
  if (!address)
    throw new StartProblem(
      'SHOP_SERVICE is missing: set it to the address that payctl serve prints, or unset SHOP_KEY',
    )
  if (!/^https?:/.test(address) || !URL.canParse(address))
    throw new StartProblem(`SHOP_SERVICE is no address: set it to the one that payctl serve prints`)
  if (!key) throw new StartProblem(`SHOP_KEY is missing: ${MAKE_KEY}`)
  if (!/^\w+$/.test(key)) throw new StartProblem(`SHOP_KEY is no secret key: ${MAKE_KEY}`)
  return paymentService(address.replace(/\/+$/, ''), key)
}
