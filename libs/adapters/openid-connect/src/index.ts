export { openIdentityProvider, type ProviderSettings } from './identity-provider.ts';
