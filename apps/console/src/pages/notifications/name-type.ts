import type { TFunction } from 'i18next';

/** What a type of notification says, in words; the type itself for one that this page does not know yet. */
export function nameType(type: string, t: TFunction): string {
  return t(`notificationTypes.${type.replace('.', '_')}`, { defaultValue: type });
}
