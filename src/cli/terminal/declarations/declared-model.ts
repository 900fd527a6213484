import { Model } from '../../../model/model.js'
import { registry } from './declared-registry.js'

/** The compiled declarations; commands use them to route a request before it is sent. */
export const model = new Model(registry)
