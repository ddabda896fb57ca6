labyrinth("exhibits", "eNqLjgUAARUAuQ==")
