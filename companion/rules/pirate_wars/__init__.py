"""PirateWars: brick ships on an open sea, with damage charts, crews, boarding and sharks."""
