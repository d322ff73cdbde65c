import { expect, it } from '@jest/globals';
import { findHolding, type StoryStep, tellStory } from './tell-story.ts';

const step = (type: StoryStep['type'], at: string, reason?: string): StoryStep => ({ type, at, reason });

it('a record that was corrected, voided and redacted says all of it, in both languages', () => {
  const steps = [
    step('correction_appended', 'Tuesday', 'wrong limit'),
    step('voided', 'Wednesday'),
    step('redacted', 'Friday'),
  ];
  const story = { application: 'support-bot', at: 'Monday', steps, vouching: { witnessed: true, anchored: false } };
  expect(tellStory(story, 'en')).toBe(
    'Recorded by support-bot on Monday, corrected on Tuesday (“wrong limit”), voided on Wednesday, ' +
      'its texts were redacted on Friday. No answer holds. The texts are gone. Witnessed, not anchored.',
  );
  expect(tellStory(story, 'de')).toMatch(/berichtigt .*für ungültig erklärt .*geschwärzt .*Keine Antwort gilt\./);
});

it('says that texts are gone where they expired without an event', () => {
  const story = { application: 'a', at: 'Monday', steps: [], isExpired: true };
  expect(tellStory(story, 'en')).toMatch(/The texts are gone\.$/);
  expect(tellStory({ ...story, isExpired: false }, 'en')).not.toContain('gone');
});

it.each([
  [[], 'original'],
  [['redacted'], 'original'],
  [['correction_appended', 'redacted'], 'correction'],
  [['correction_appended', 'text_expired', 'retention_extended'], 'correction'],
  [['voided', 'redacted'], 'none'],
  [['voided', 'correction_appended'], 'none'],
] as const)('after %j holds: %s', (types, holding) => {
  expect(findHolding(types.map((type) => ({ type })))).toBe(holding);
});
