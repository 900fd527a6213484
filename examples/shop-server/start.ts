/**
 * `npm run example plain-shop` or `react-shop`: the shop on 127.0.0.1. It uses the service in `SHOP_SERVICE`
 * with the key in `SHOP_KEY`. Without these it starts a service in the test environment, whose home is
 * deleted at the end.
 */
import process from 'node:process'
import { ownService } from './own-service.js'
import { paymentService } from './payment-service.js'
import { type ShopName, serveShop } from './serve-shop.js'

const NAMES: readonly ShopName[] = ['plain-shop', 'react-shop']
const PORT = 4280

const name = NAMES.find((each) => each === process.argv[2])
if (name === undefined) {
  process.stderr.write(`Which shop? npm run example ${NAMES.join(', or npm run example ')}\n`)
  process.exit(2)
}
const { SHOP_SERVICE: address, SHOP_KEY: key, SHOP_PORT: port = PORT } = process.env
const own = address === undefined || key === undefined ? await ownService() : undefined
const service = own ?? paymentService(address ?? '', key ?? '')
const shop = await serveShop({ name, service, port: Number(port) })
process.stdout.write(`The shop is open at ${shop.origin}/\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void shop.close().then(() => own?.stop())
  })
