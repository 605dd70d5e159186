"""The icon in the tray, and what opens the search box with it: clicks and the hotkey."""
