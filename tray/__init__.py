"""The tray app: icon, menu, timer, search box, notifications."""
