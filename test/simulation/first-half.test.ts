// The first half of the sequences of `npm run simulate`.
import { halfOfTheSequences } from './sequences.js'

halfOfTheSequences(0)
