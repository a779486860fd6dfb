/** Numbers that name a person or a payment card, in the digits of any script. */
import { digitValue } from './characters.ts';
import { type Detector, patternDetector } from './detector.ts';

const governmentIdentifier = /(?<!\p{Nd})\p{Nd}{3}-\p{Nd}{2}-\p{Nd}{4}(?!\p{Nd})/u;

/** 13 to 19 digits with at most one space or dash between two; the longest at a place, and none inside another. */
const cardCandidate = /(?<!\p{Nd})(?:\p{Nd}[ -]?){12,18}\p{Nd}(?!\p{Nd})/gu;

export const numbers: readonly Detector[] = [
  patternDetector('government identifier', 'government_identifier_shape', governmentIdentifier),
  { name: 'payment card', reason: 'payment_card_shape', matches: holdsPaymentCard },
];

function holdsPaymentCard(text: string): boolean {
  for (const [candidate] of text.matchAll(cardCandidate)) {
    if (passesLuhn(candidate)) return true;
  }
  return false;
}

/** The check of ISO/IEC 7812: from the right, every second digit counts double, and the sum ends in zero. */
function passesLuhn(candidate: string): boolean {
  let sum = 0;
  let isDoubled = false;
  for (const character of [...candidate].reverse()) {
    if (character === ' ' || character === '-') continue;
    const value = digitValue(character) * (isDoubled ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
    isDoubled = !isDoubled;
  }
  return sum % 10 === 0;
}
