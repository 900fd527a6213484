export { type Chance, seededChance } from '../../src/platform/chance.js'
